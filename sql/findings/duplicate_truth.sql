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
    count(*) as found,
    (select count(*) from given_truth as t) - sum(c.stated - 1) as total,
    min({{ sql.text("c.user_id") }} || ', ' || {{ sql.text("c.item_id") }}) as example,
    count(case when c.least < c.most then 1 end) as differing
from truth_copies as c
{# rows #}
select c.user_id, c.item_id, c.stated, c.least, c.most
from truth_copies as c
