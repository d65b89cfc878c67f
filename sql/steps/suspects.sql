{#
row = "one row per user whose bits don't prove that the truth states each of his items once: fewer of them than rows"
#}
select f.user_id
from fingerprints as f
where greatest({{ sql.bit_count("f.bits") }}, {{ sql.bit_count("f.other_bits") }}) < f.stated
