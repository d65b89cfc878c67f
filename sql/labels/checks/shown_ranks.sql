{#
message = "{impressions}: `rank` is {rank} for user {user}, item {item}; ranks are whole numbers that start at 1"
place = 4
on = ["given_impressions"]
#}
select
    {{ sentence(rank="i.rank", user="i.user_id", item="i.item_id") | indent }} as message
from given_impressions as i
where
    i.rank < 1
    or i.rank >= {{ whole }}
    or (
        {{ sql.type_of("i.rank") }} not like '%INT%'
        and ({{ double("i.rank") }} % 1 <> 0 or {{ sql.is_nan(double("i.rank")) }})
    )
order by i.user_id asc, i.item_id asc, message asc
limit 1
