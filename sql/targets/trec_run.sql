{# A run in TREC format: topic, Q0, document, rank, score, name of the run. Like trec_eval, lists are ordered by score. #}
{# `with_ranks` keeps the ranks; those of a run that counts from 0 then begin at 1. #}
{% set count, number, what = 6, 5, "a run is topic, Q0, document, rank, score, name" %}
select
    l.fields[6] as model,
    l.fields[1] as user_id,
    l.fields[3] as item_id,
{% if with_ranks %}
    try_cast(l.fields[4] as bigint)
        + cast(min(try_cast(l.fields[4] as bigint)) over (partition by l.fields[6]) = 0 as bigint) as rank,
{% endif %}
    cast(l.fields[5] as double) as score
from (
{% filter indent(first=true) %}{% include "targets/trec_lines.sql" %}{% endfilter %}

) as l
