{#
about = "1 % of the relevant items have more than 10 % of the relevant rows"
matters = "a model that recommends what is popular gets a good value without knowing anyone"
advice = "compare with recsql.popularity(train), and slice, or add novelty"
severity = "note"
unit = "rows"
table = "truth"
column = "item_id"
level = "full"
unless = "fewer than 100 items are relevant"
#}
select
    {{ sql.text("null") }} as model,
    case when s.items >= 100 and 10 * s.top > s.total then s.top end as found,
    s.total,
    'gini ' || {{ sql.text("round(2e0 * s.weighted / s.items / s.total - (s.items + 1e0) / s.items, 2)") }} as example
from (
    select
        max(i.items) as items,
        cast(sum(case when i.place <= floor(i.items / 1e2) then i.relevant_rows end) as bigint) as top,
        cast(sum(i.relevant_rows) as bigint) as total,
        {{ double("sum((i.items + 1 - i.place) * i.relevant_rows)") }} as weighted
    from relevant_items as i
) as s
{# rows #}
select i.item_id, i.relevant_rows
from relevant_items as i
where i.place <= floor(i.items / 1e2)
