{#
message = "{recs}: `score` is {score} for user {user}, item {item}; every score must be a finite number, not NULL or text"
place = 4
on = ["given_recs"]
when = "by_score"
#}
select
    {{ sentence(score="r.score", user="r.user_id", item="r.item_id") | indent }} as message
from given_recs as r
where
    (r.score is null or {{ sql.is_nan(double("r.score")) }} or {{ sql.is_infinite(double("r.score")) }}{{ " or typeof(r.score) in ('VARCHAR', 'BOOLEAN')" if named }})
{% if any_order %}
    and r.rank_by = 'score'
{% endif %}
order by r.user_id asc, r.item_id asc, message asc
limit 1
