{#
message = "{recs}: rank is {rank} for user {user}, item {item}; ties = 'input' needs the input order in the column rank"
place = 4
#}
{% set as_given = condition(ties="input", rank_by="score") %}
{% if as_given.possible %}
select
    {{ sentence(rank="r.rank", user="r.user_id", item="r.item_id") }} as message
from given_recs as r
where
    r.rank is null
    {{ as_given.also }}
order by r.user_id asc, r.item_id asc
limit 1
{% endif %}
