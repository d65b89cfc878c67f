{#
row = "one row per length of a list: what the ranks 1, 2, ... down to it come to"
#}
select i.i as returned, bit_xor({{ sql.salted_hash("i.i") }}) over (order by i.i asc) as ranks
from {{ sql.whole_numbers(1, "(select max(n.returned) from list_ranks as n)") }} as i
