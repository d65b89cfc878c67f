{#
row = "one row per number of degrees of freedom: the tail beyond the interval"
#}
{% if target == "compare" %}
select distinct c.tail, c.df
from corrections as c
where c.df > 0e0
union all
select 2e0 * (1e0 - {{ power }}) as tail, cast(null as double) as df
{% else %}
select distinct 1e0 - {{ interval }} as tail, s.df
from spreads as s
where s.df > 0e0 or s.df is null
{% endif %}
