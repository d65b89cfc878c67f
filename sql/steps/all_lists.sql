{#
All lists together: exposure, how alike lists are, categories, and the metrics of all lists.

Goes in: item_counts, listed and category_counts. Comes out: run_at_k, one row per model and cut-off with the statistics
of all lists, and per_run, the metrics.
#}

-- name: item_exposures
{#
row = "one row per model, cut-off and recommended item (and group of users that is left out): its exposure, and its place in ascending order of exposure"
grain = "item"
#}
{% set of_catalog = "g.item_id is not null" if with_catalog and needs.catalog else "true" %}
{% set part = ", i.part" if item_groups else "" %}
select
    {{ key_columns("i") }}i.k,
{% if item_groups %}
    i.part,
{% endif %}
    {{ sql.of_units("i.exposure") }}{{ " as exposure" if not plain }},
    {{ of_catalog }} as is_of_catalog,
    row_number() over (partition by {{ keys("i") }}i.k{{ part }}, {{ of_catalog }} order by i.exposure asc, i.item_id asc) as catalog_place,
    row_number() over (partition by {{ keys("i") }}i.k{{ part }} order by i.exposure asc, i.item_id asc) as place
{% if item_groups %}
from (
    select
        {{ key_columns("c") | indent(4) }}c.k,
        o.part,
        c.item_id,
        c.exposure - coalesce(p.exposure, 0) as exposure
    from item_counts as c
    {{ with_left_out("c") }}
    left join group_counts as p on {{ same_keys("p", "c") }}p.k = c.k and p.item_id = c.item_id and p.part = o.part
    where c.times > coalesce(p.times, 0)
) as i{% else %}
from item_counts as i{% endif %}{% if with_catalog and needs.catalog %}

left join catalog as g on g.item_id = i.item_id{% endif %}

-- name: exposures_at_k
{#
row = "one row per model and cut-off: the statistics of the exposure of the recommended items"
grain = "item"
sums = { over = "exposures", alias = "e", reader = "run_at_k" }
#}
select
    {{ key_columns("x") }}x.k{% if item_groups %},
    x.part{% endif %}{% for one in statistics("exposures") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from item_exposures as x
group by {{ keys("x") }}x.k{{ ", x.part" if item_groups }}

-- name: sets
{#
row = "one row per item of a list, with the best of its ranks: a copy of an item is no other item"
grain = "item"
inline = true
#}
{% if duplicates in ["error", "count"] %}
select {{ model("r") }}r.user_id, r.item_id, min(r.rank) as rank
from listed as r
group by {{ model("r") }}r.user_id, r.item_id
{% else %}
select {{ model("r") }}r.user_id, r.item_id, r.rank
from listed as r
{% endif %}

-- name: set_sizes
{#
row = "one row per model, user and cut-off: the number of different items in the top k of the list"
grain = "item"
#}
select {{ model("r") }}r.user_id, c.k, count(*) as items
from sets as r
inner join cutoffs as c on c.k >= r.rank
group by {{ model("r") }}r.user_id, c.k

-- name: set_shares
{#
row = "one row per model, user, cut-off and recommended item: its share of the different items in the top k of the list"
grain = "item"
inline = true
#}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    n.k,
    r.item_id,
{% if needs.root_shares %}
    1e0 / sqrt(n.items) as root_share,
{% endif %}
{% if needs.set_times %}
    1e0 as times,
{% endif %}
    1e0 / n.items as share
from sets as r
inner join set_sizes as n on {{ same_model("n", "r") }}n.user_id = r.user_id and n.k >= r.rank

-- name: group_sets
{#
row = "one row per model, cut-off, recommended item and group of users: the sum of its shares of their lists as sets, in units of 1e-18"
plain_row = "one row per model, cut-off, recommended item and group of users: the sum of its shares of their lists as sets"
grain = "item"
#}
{{ shares_added("set_shares", columns=set_columns, group="u") }}

-- name: item_sets
{#
row = "one row per model, cut-off and recommended item: the sum of its shares of the lists as sets, in units of 1e-18"
plain_row = "one row per model, cut-off and recommended item: the sum of its shares of the lists as sets"
grain = "item"
#}
{% if item_groups %}
select
    {{ key_columns("g") }}g.k,
    g.item_id{% for one in set_columns %},
    sum(g.{{ one }}) as {{ one }}{% endfor %}

from group_sets as g
group by {{ keys("g") }}g.k, g.item_id
{% else %}
{{ shares_added("set_shares", columns=set_columns) }}
{% endif %}

-- name: similarities_at_k
{#
row = "one row per model and cut-off: the statistics of how alike the lists are"
grain = "item"
sums = { over = "similarities", alias = "l", reader = "run_at_k" }
#}
{# Without a group of users, an item has less weight. #}
select
    {{ key_columns("x") }}x.k{% if item_groups %},
    x.part{% endif %}{% for one in statistics("similarities") %},
    {{ text_of(one) | indent }} as {{ one }}{% endfor %}

from (
{% if item_groups %}
    select
        {{ key_columns("w") | indent(4) }}w.k,
        o.part{% for one in set_columns %},
        {{ sql.of_units("w." ~ one ~ " - coalesce(g." ~ one ~ ", 0)") }}{{ " as " ~ one if not plain }}{% endfor %}

    from item_sets as w
    {{ with_left_out("w") }}
    left join group_sets as g on {{ same_keys("g", "w") }}g.k = w.k and g.item_id = w.item_id and g.part = o.part
{% else %}
    select
        {{ key_columns("w") | indent(4) }}w.k{% for one in set_columns %},
        {{ sql.of_units("w." ~ one) }}{{ " as " ~ one if not plain }}{% endfor %}

    from item_sets as w
{% endif %}
) as x
group by {{ keys("x") }}x.k{{ ", x.part" if item_groups }}

-- name: category_entropies
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

-- name: categories_at_k
{#
row = "one row per model and cut-off: the statistics of the categories in the lists"
grain = "item"
sums = { over = "categories", alias = "q", reader = "run_at_k" }
#}
{{ sums_of_lists("category_entropies", sums=statistics("categories")) }}

-- name: run_at_k
{#
row = "one row per model and cut-off: the statistics that the metrics of all lists together read"
grain = "item"
#}
select
{% if modelled %}
    m.model,
{% endif %}
{% if sliced %}
    n.slice,
    n.segment,
{% endif %}
    c.k{% if item_groups %},
    o.part{% endif %}{% for step in sums("run_at_k") %}{% for one in statistics(step.over) %},
    {{ column_of(one) | indent }}{% endfor %}{% endfor %}{% for one in statistics("run") %},
    {{ column_of(one) | indent }}{% endfor %}

from models as m{% if sliced %}

cross join segments_of_lists as n{% endif %}

cross join cutoffs as c{% if item_groups %}

{{ with_left_out("n", of="m") }}{% endif %}{% for step in sums("run_at_k") %}

left join {{ step.name }} as {{ step.alias }} on {{ same_model(step.alias, "m") }}{{ step.alias ~ ".slice = n.slice and " ~ step.alias ~ ".segment is not distinct from n.segment and " if sliced }}{{ step.alias }}.k = c.k{% if item_groups %} and {{ step.alias }}.part is not distinct from o.part{% endif %}{% endfor %}

-- name: per_run
{#
row = "one row per model and cut-off: the metrics of all lists together; for means over lists, also the number of lists"
plain_row = "one row per model and cut-off: the metrics of all lists together"
grain = "item"
kept = true
#}
select
    {{ key_columns("s") }}s.k{% if item_groups %},
    s.part{% endif %}{% for column in item_columns %},
    {{ aliased(column.natural, column.name) | indent }},
    {{ column.users }} as {{ column.name }}_users{% endfor %}

from run_at_k as s
