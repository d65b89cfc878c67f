{#
row = "one row per user who may have repeated items in the truth: the user has fewer bits than rows"
before = "repeaters"
#}
select f.user_id
from fingerprints as f
where greatest({{ sql.bit_count("f.bits") }}, {{ sql.bit_count("f.other_bits") }}) < f.stated
