{#
row = "one row per model, user and cut-off: the entropy of the list's categories; NULL without categories and smoothing"
grain = "item"

[options.smoothing]
where = { entropy_scope = "category" }
about = "a constant added to the count of each category, for entropy_scope = category"
topic = "concentration"
default = 0
type = "number"
at_least = 0
#}
{% set smooth = double(smoothing) %}
{% set share = "(n.items + " ~ smooth ~ ") / n.total" %}
{% set entropy %}
case
        when n.items > 0 then {{ share }} * log2(1e0 / ({{ share }}))
        when n.total > 0 then 0e0
    end
{%- endset %}
{% set unseen = smooth ~ " / n.total" %}
select
{% if modelled %}
    n.model,
{% endif %}
    n.user_id,
    n.k,
    {{ sql.exact_sum(entropy) }}
    + max(case when {{ smooth }} > 0 then (n.categories - n.seen) * {{ unseen }} * log2(1e0 / ({{ unseen }})) else 0e0 end) as entropy
from (
    select
{% if modelled %}
        g.model,
{% endif %}
        g.user_id,
        g.k,
        g.items,
        a.categories,
        count(g.category) over (partition by {{ model("g") }}g.user_id, g.k) as seen,
        sum(g.items) over (partition by {{ model("g") }}g.user_id, g.k) + a.categories * {{ smooth }} as total
    from category_counts as g
    cross join (select count(distinct i.category) as categories from item_categories as i) as a
) as n
group by {{ model("n") }}n.user_id, n.k
