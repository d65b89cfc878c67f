{#
message = "{recs}: `rank` is {rank} for user {user}, item {item}; ranks are whole numbers that start at 1"
place = 4
on = ["given_recs"]
when = "by_rank and not listed"
#}
{# A number below this one can be cast to bigint, as the steps do. #}
select
    {{ sentence(rank="r.rank", user="r.user_id", item="r.item_id") | indent }} as message
from given_recs as r
where
    {{ is_no_rank() | indent }}
{% if any_order %}
    and r.rank_by = 'rank'
{% endif %}
order by r.user_id asc, r.item_id asc, message asc
limit 1
