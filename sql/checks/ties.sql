{#
message = "{recs}: user {user} has items {one} and {other} with the same `score` {score}; use ties='item_asc' or 'item_desc', or rank the list yourself"
place = 5
on = ["scored"]
when = "ties == 'error'"
#}
select
    {{ sentence(user="r.user_id", one="min(r.item_id)", other="max(r.item_id)", score="r.score") | indent }} as message
from scored as r
where r.rank <= {{ depth }} + 1
group by {{ model("r") }}r.user_id, r.score
having count(*) > 1
order by r.user_id asc, {{ model("r") }}r.score desc
limit 1
