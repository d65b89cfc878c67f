{#
row = "one row per length of a list: the hash of the ranks 1, 2, ... up to that length"
before = "unproven"
when = "by_rank and (checked or finding) and 'recs' in tables and not listed"
#}
select i.i as returned, bit_xor({{ sql.salted_hash("i.i") }}) over (order by i.i asc) as ranks
from {{ sql.whole_numbers(1, "(select max(n.returned) from list_ranks as n)") }} as i
