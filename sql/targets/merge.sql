{# What evaluate gives on all parts together. A part without a list of a model counts for it as one of a model that has no list. #}
with
-- one row per model; where nothing is recommended, one row without a name
models as (
    select distinct p.model
    from {{ parts }} as p
    where p.has_lists
    union all
    select {{ sql.text("null") }} as model
    where not exists (select 1 from {{ parts }} as p where p.has_lists)
),

-- one row per part and model with lists in it
owners as (
    select distinct p.part, p.model
    from {{ parts }} as p
    where p.has_lists
)

select
    m.model,
    p.metric,
    p.k,
    {{ sql.of_units("sum(p.sum)") }} / nullif(cast(sum(p.users) as bigint), 0) as value,
    cast(sum(p.users) as bigint) as users,
    cast(sum(p.headcount) as bigint) as headcount,
    p.pipeline,
    cast(sum(p.users_with_truth) as bigint) as users_with_truth,
    cast(sum(p.lists) as bigint) as lists,
    cast(sum(p.lists_without_truth) as bigint) as lists_without_truth
from {{ parts }} as p
cross join models as m
left join owners as o on o.part = p.part and o.model is not distinct from m.model
where
    p.place is not null -- how often an item is recommended is no metric yet
    and case
        when p.has_lists then p.model is not distinct from m.model
        else o.part is null
    end
group by m.model, p.metric, p.k, p.place, p.pipeline
order by m.model asc nulls first, p.place asc, p.k asc
