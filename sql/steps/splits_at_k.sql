{#
row = "one row per model, user and cut-off that separates tied items: the statistics of the splits"
sums = { over = "splits", alias = "x", reader = "at_k" }
#}
{% set precision = likely("h.nth / " ~ double("h.rank")) %}
select
    y.model,
    y.user_id,
    y.k{% for name, sum in rendering.sums("splits").items() %},
    {{ sum }} as {{ name }}
{%- endfor %}

from (
    select
        x.model,
        x.user_id,
        x.k,
        x.weight,
        (coalesce({{ sql.exact_sum(precision) }}, 0e0) + x.precisions) / nullif(x.hits, 0) as precision
    from splits as x
    left join hits_in_force as h on h.model is not distinct from x.model and h.user_id = x.user_id and h.k = x.k and h.nth <= x.before
    group by x.model, x.user_id, x.k, x.hits, x.weight, x.precisions
) as y
group by y.model, y.user_id, y.k
