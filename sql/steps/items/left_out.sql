{#
row = "one row per model (and segment, for slices) and group of users with lists that is left out; NULL if none is"
grain = "item"
#}
{# A segment has the groups of its own users. Models that are compared have the same groups. #}
{% set by_model = modelled and not of_pairs %}
{% macro keys_of(of, segment) %}{{ of ~ ".model, " if by_model }}{{ segment ~ ".slice, " ~ segment ~ ".segment, " if sliced }}{% endmacro %}
select distinct {{ keys_of("c", "c") }}c.part
from list_counts as c
union all
select {{ keys_of("m", "n") }}null as part{% if by_model %}

from models as m{% endif %}{% if sliced %}

{{ "cross join" if by_model else "from" }} segments_of_lists as n{% endif %}

