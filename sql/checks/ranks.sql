{#
message = "{recs}: rank is {rank} for user {user}, item {item}; ranks are whole numbers that start at 1"
place = 4
#}
{% set by_rank = condition(rank_by="score").negated %}
{% if by_rank.possible and not rendering.listed %}
{# A number below this one can be cast to bigint, as the steps do. #}
select
    {{ sentence(rank="r.rank", user="r.user_id", item="r.item_id") }} as message
from given_recs as r
where
    (
        r.rank is null
        or r.rank < 1
        or r.rank >= {{ too_large }}
        or (
            {{ sql.type_of("r.rank") }} not like '%INT%'
            and ({{ double("r.rank") }} % 1 <> 0 or {{ sql.is_nan(double("r.rank")) }})
        )
    )
    {{ by_rank.also }}
order by r.user_id asc, r.item_id asc
limit 1
{% endif %}
