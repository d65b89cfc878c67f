{#
about = "a user and an item are in the truth several times"
matters = "the highest relevance counts, once"
advice = "keep one row per user and item, for example with max(relevance) and group by"
severity = {warning = "f.differing > 0", note = "true"}
said = "warning if the relevance differs, else note"
unit = "pairs"
table = "truth"
level = "full"
#}
select
    {{ sql.text("null") }} as model,
    count(case when p.stated > 1 then 1 end) as found,
    count(*) as total,
    min(case when p.stated > 1 then {{ sql.text("p.user_id") }} || ', ' || {{ sql.text("p.item_id") }} end) as example,
    count(case when p.least < p.most then 1 end) as differing
from (
    select t.user_id, t.item_id, count(*) as stated, min(t.relevance) as least, max(t.relevance) as most
    from given_truth as t
    group by t.user_id, t.item_id
) as p
{# rows #}
select t.user_id, t.item_id, count(*) as stated, min(t.relevance) as least, max(t.relevance) as most
from given_truth as t
group by t.user_id, t.item_id
having count(*) > 1
