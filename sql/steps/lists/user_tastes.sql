{#
row = "one row per user in train and category: the share of the user's rows of train that it has"
grain = "list"
#}
{# A row of several categories counts as an equal part of each; rows without a category don't count. #}
select
    n.user_id,
    n.category,
    n.share / m.events as share
from (
    select t.user_id, g.category, {{ sql.exact_sum("1e0 / g.categories") }} as share
    from given_train as t
    inner join item_categories as g on g.item_id = t.item_id
    where t.user_id is not null{{ guard("id_types", left="recs", right="train", columns=["user_id", "item_id"]) | indent(8) }}
    group by t.user_id, g.category
) as n
inner join (
    select t.user_id, {{ double("count(*)") }} as events
    from given_train as t
    inner join categorised as g on g.item_id = t.item_id
    group by t.user_id
) as m on m.user_id = n.user_id
