{#
row = "one row per model, user and cut-off that separates tied items: the statistics of the splits"
sums = { over = "splits", alias = "x", reader = "at_k" }
#}
select
{% if modelled %}
    y.model,
{% endif %}
    y.user_id,
    y.k{% for one in statistics("splits") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from (
    select
{% if modelled %}
        x.model,
{% endif %}
        x.user_id,
        x.k,
        x.weight,
        (coalesce({{ summed("h.nth / " ~ double("h.rank")) }}, 0e0) + x.precisions) / nullif(x.hits, 0) as precision
    from splits as x
    left join hits_in_force as h on {{ same_model("h", "x") }}h.user_id = x.user_id and h.k = x.k and h.nth <= x.before
    group by {{ model("x") }}x.user_id, x.k, x.hits, x.weight, x.precisions
) as y
group by {{ model("y") }}y.user_id, y.k
