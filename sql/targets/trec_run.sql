{# A run in TREC format: topic, Q0, document, rank, score, name of the run. Like trec_eval, it ignores the rank. #}
{% set count, number, what = 6, 5, "a run is topic, Q0, document, rank, score, name" %}
select
    l.fields[6] as model,
    l.fields[1] as user_id,
    l.fields[3] as item_id,
    cast(l.fields[5] as double) as score
from (
{% filter indent(first=true) %}{% include "targets/trec_lines.sql" %}{% endfilter %}

) as l
