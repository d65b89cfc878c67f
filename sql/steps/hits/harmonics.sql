{#
row = "one row per rank: the sum 1/1 + 1/2 + ... + 1/rank"
#}
select i.i as rank, sum(coalesce(1e0 / nullif(i.i, 0), 0e0)) over (order by i.i asc) as harmonic
from {{ sql.whole_numbers(0, deepest) }} as i
