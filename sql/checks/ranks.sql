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
    (
        r.rank is null
        or r.rank < 1
        or r.rank >= {{ whole }}
        or (
            {{ sql.type_of("r.rank") }} not like '%INT%'
            and ({{ double("r.rank") }} % 1 <> 0 or {{ sql.is_nan(double("r.rank")) }})
        )
    )
{% if any_order %}
    and r.rank_by = 'rank'
{% endif %}
order by r.user_id asc, r.item_id asc, message asc
limit 1
