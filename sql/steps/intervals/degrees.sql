{#
row = "one row per number of degrees of freedom: the tail beyond the interval"
when = "spread"
#}
select distinct 1e0 - {{ interval }} as tail, s.df
from spreads as s
where s.df > 0e0 or s.df is null
