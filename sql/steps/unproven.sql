{#
row = "one row per list that may not have the ranks 1, 2, ... each once: they come to something else"
#}
{# Zobrist 1970. A list of other ranks comes to the same in one case of 2 to the 64, and the salt keeps anybody from building one. #}
{% if rendering.listed %}
{# The places in one LIST are 1, 2, ...; those of two are not. #}
select n.model, n.user_id
from list_ranks as n
where n.last_rank < n.returned
{% else %}
select n.model, n.user_id
from list_ranks as n
left join unbroken as b on b.returned = n.returned and b.ranks = n.ranks
where b.returned is null
{% endif %}
