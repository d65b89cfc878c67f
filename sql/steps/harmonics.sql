{#
row = "one row per rank: the sum 1/1 + 1/2 + ... + 1/rank"
#}
select i.i as rank, sum(case when i.i > 0 then 1e0 / i.i else 0e0 end) over (order by i.i) as harmonic
from {{ sql.whole_numbers(0, depth) }} as i
