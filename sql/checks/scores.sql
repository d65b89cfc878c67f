{#
message = "{recs}: score is {score} for user {user}, item {item}; every score must be a finite number, not NULL or text"
place = 4
#}
{% set by_score = condition(rank_by="score") %}
{% if by_score.possible %}
select
    {{ sentence(score="r.score", user="r.user_id", item="r.item_id") }} as message
from given_recs as r
where
    (r.score is null or {{ sql.is_nan(double("r.score")) }} or {{ sql.is_infinite(double("r.score")) }}{{ " or typeof(r.score) in ('VARCHAR', 'BOOLEAN')" if inputs.named }})
    {{ by_score.also }}
order by r.user_id asc, r.item_id asc
limit 1
{% endif %}
