{#
message = "{truth} has several judgements of {found} of a user and an item, and they differ; the highest counts"
warning = true
on = ["given_truth"]
when = "repeated and graded"
#}
select
    {{ sentence(found="n.pairs || case when n.pairs = 1 then ' pair' else ' pairs' end") | indent }} as message
from (
    select count(*) as pairs
    from (
        select t.user_id, t.item_id
        from given_truth as t
        group by t.user_id, t.item_id
        having min(t.relevance) < max(t.relevance)
    ) as p
) as n
where n.pairs > 0
