{#
row = "one row per user with relevant items: their number, how many of them are in train, and the mean number of rows there"
grain = "baseline"
#}
select
    l.user_id,
    count(*) as items,
    count(p.item_id) as known,
    {{ double("coalesce(sum(p.events), 0)") }} / count(*) as popularity
from (
    select distinct t.user_id, t.item_id
    from given_truth as t
    where t.relevance > 0{{ guard("id_types", left="past", right="truth", columns=["user_id", "item_id"]) | indent(8) }}
) as l
left join popular as p on p.item_id = l.item_id
group by l.user_id
