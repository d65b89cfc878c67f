{#
message = "{recs}: `rank` is {rank} for user {user}, item {item}; ties='input' needs the input order in the column rank"
place = 4
on = ["given_recs"]
when = "ties == 'input' and by_score"
#}
select
    {{ sentence(rank="r.rank", user="r.user_id", item="r.item_id") | indent }} as message
from given_recs as r
where r.rank is null{{ " and r.rank_by = 'score'" if any_order }}
order by r.user_id asc, r.item_id asc, message asc
limit 1
