{#
Plans: what a number of users can show.

Goes in: the rows of per_user, those of the best lists in place of lists if there are none. Comes out: plan_sums, the sums of a plan.
#}

-- name: planned_values
{#
row = "one row per model or pair of models, user, metric and cut-off: the values, and that of the best list"
grain = "plan"
kept = true
#}
{% macro values(table) %}
{% for column in shown_columns %}
select u.model, u.user_id, u.k, {{ column.place }} as place, u.{{ column.title }} as value
from {{ table.source }} as u
where u.{{ column.title }} is not null and coalesce(u.k, {{ whole }}) in ({{ column.ks | join(", ") }}){{ " union all" if not loop.last }}
{% endfor %}
{% endmacro %}
with measured as (
    {{ values(tables.measured) | trim | indent }}
)

select v.model, o.model as baseline, v.place, v.k, {{ "v.value" if "recs" in tables else double(plan__value) ~ " as value" }}, o.value as base, b.value as best
from measured as v
cross join (select count(*) as models from (select distinct m.model from measured as m) as m) as n
left join measured as o
    on o.user_id = v.user_id and o.place = v.place and o.k is not distinct from v.k
    and o.model is not null and coalesce({{ turn("o.model") }} > {{ turn("v.model") }}, true)
left join (
    {{ values(tables.best) | trim | indent }}
) as b on b.user_id = v.user_id and b.place = v.place and b.k is not distinct from v.k
where o.value is not null or n.models = 1

-- name: plan_sums
{#
row = "one row per model or pair of models, metric and cut-off: the users, the means and squares of their values, and the tail of the test"
grain = "plan"
kept = true
options.plan__value = { about = "the mean to plan for without lists; in the middle, values can spread most", topic = "planning", type = "number", default = 0.5, above = 0, below = 1 }
options.plan__margin = { about = "the difference that the users should show", topic = "planning", type = "number", above = 0 }
options.correlation = { about = "how the values of two models correlate, user by user; the lists of two or more models tell it", topic = "planning", type = "number", default = 0.5, at_least = -1, below = 1 }
options.wins = { about = "of a metric that is 0 or 1, in place of a correlation: the share of users who go from 0 to 1", topic = "planning", type = "number", at_least = 0, at_most = 1 }
options.losses = { about = "the share of users who go from 1 to 0", topic = "planning", type = "number", at_least = 0, at_most = 1 }

[options.comparisons]
about = "the number of comparisons that share the error of 1 - interval"
topic = "planning"
type = "integer"
default = 1
at_least = 1
#}
select
    v.model, v.baseline, v.place, v.k,
    (1e0 - {{ interval }}) / {{ double(comparisons) }} as tail,
    count(*) as users,
    {{ sql.exact_sum("v.value") }} / count(*) as value,
    {{ sql.exact_sum("v.base") }} / count(*) as base,
    {{ sql.exact_sum("v.best") }} / nullif(count({{ "*" if no_truth == "zero" else "v.best" }}), 0) as ideal,
    {{ sql.square_sum("v.value") }} as squares,
    {{ sql.square_sum("v.base") }} as base_squares,
    {{ sql.square_sum("(v.value - v.base)") }} as squares_apart,
    count(case when v.value = 0e0 then 1 end) / {{ double("count(*)") }} as zero_share,
    count(case when abs(v.value - v.best) <= 5e-13 then 1 end) / {{ double("nullif(count(v.best), 0)") }} as best_share,
    count(case when v.value in (0e0, 1e0) and coalesce(v.base, 0e0) in (0e0, 1e0) then 1 end) = count(*) as is_binary
from planned_values as v
group by v.model, v.baseline, v.place, v.k
