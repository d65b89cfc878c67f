{# Judgements in TREC format: topic, iteration, document, relevance. #}
{% set count, number, what = 4, 4, "judgements is topic, iteration, document, relevance" %}
select
    l.fields[1] as user_id,
    l.fields[3] as item_id,
    cast(l.fields[4] as double) as relevance
from (
{% filter indent(first=true) %}{% include "targets/trec_lines.sql" %}{% endfilter %}

) as l
