{#
about = "lists have fewer items up to k than those of another model"
matters = "the model with longer lists has more chances of a hit"
advice = "ask every model for at least k items, or lower k to what all of them have"
severity = "warning"
said = "if the mean length up to k is at least 10 % below that of another model"
unit = "items"
table = "recs"
when = "modelled"
#}
select
    p.model,
    case when p.mean <= 0.9 * p.longest then round(p.longest * p.lists - p.items) end as found,
    round(p.longest * p.lists) as total,
    {{ sql.text("round(p.mean, 1)") }} || ' items in a list, not ' || {{ sql.text("round(p.longest, 1)") }} as example
from (
    select m.*, max(m.mean) over () as longest
    from (
        select
            f.model,
            count(*) as lists,
            sum(least(f.items, {{ depth }})) as items,
            {{ double("sum(least(f.items, " ~ depth ~ "))") }} / count(*) as mean
        from list_facts as f
        group by f.model
    ) as m
) as p
{# rows #}
select f.model, count(*) as lists, {{ double("sum(least(f.items, " ~ depth ~ "))") }} / count(*) as mean_length
from list_facts as f
group by f.model
