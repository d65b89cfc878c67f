{#
row = "one row per length of a list: the hash of the ranks 1, 2, ... up to that length"
before = "unproven"
#}
select i.i as returned, bit_xor({{ sql.salted_hash("i.i") }}) over (order by i.i asc) as ranks
from {{ sql.whole_numbers(1, "(select max(n.returned) from list_ranks as n)") }} as i
