{#
row = "one row per list that may not have each of the ranks 1, 2, ... once: the hash of its ranks differs"
before = "unproven_recs"
#}
{# Zobrist 1970. A list with other ranks has the same hash with probability 2^-64. Because of the salt, nobody can construct one. #}
{% if listed %}
{# The positions in a single LIST are 1, 2, ... A user with two LISTs has repeated ranks. #}
select {{ model("n") }}n.user_id
from list_ranks as n
where n.last_rank < n.returned
{% else %}
select {{ model("n") }}n.user_id
from list_ranks as n
left join unbroken as b on b.returned = n.returned and b.ranks = n.ranks
where b.returned is null
{% endif %}
