{# How the values of single users are distributed: one row per model and bin. Bin 0 has the users with the value 0. #}
with
spread as (
    select least(0, min(p.value)) as lowest, greatest(1, max(p.value)) as highest
    from {{ values }} as p
)

select
    p.model,
    case
        when p.value = 0 then 0
        else 1 + least({{ bins - 1 }}, cast(floor((p.value - s.lowest) / (s.highest - s.lowest) * {{ bins }}) as int))
    end as bin,
    count(*) as users,
    any_value(s.lowest) as lowest,
    any_value(s.highest) as highest
from {{ values }} as p
cross join spread as s
where p.value is not null
group by p.model, bin
order by p.model asc nulls first, bin asc
