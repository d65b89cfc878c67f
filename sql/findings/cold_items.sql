{#
about = "relevant items are not in train"
matters = "a model that knows only the items of train cannot hit them"
advice = "leave them out of the truth to compare models that know only train, and say so"
severity = {warning = 0.05}
unit = "items"
table = "truth"
column = "item_id"
needs = ["train"]
#}
select
    {{ sql.text("null") }} as model,
    count(case when i.train_rows = 0 then 1 end) as found,
    count(*) as total,
    min(case when i.train_rows = 0 then {{ sql.text("i.id") }} end)
    || ' (without them, at most '
    || {{ sql.text("round(" ~ double("sum(case when i.train_rows > 0 then i.relevant_rows else 0 end)") ~ " / sum(i.relevant_rows), 2)") }}
    || ' of the relevant rows can be hit)' as example
from item_rows as i
where i.id is not null and i.relevant_rows > 0
{# rows #}
select i.id as item_id, i.relevant_rows
from item_rows as i
where i.relevant_rows > 0 and i.train_rows = 0
