{#
The contents of each list: what its items are like, whether they are relevant or not.

Goes in: recommended, train and the table of items. Comes out: lists_at_k and its neighbours, one row per list and
cut-off, with sums over the items of the list, over its categories, its pairs of items, and the components of its
vectors. Metrics such as ild, novelty and tail_share are means over lists.
#}

-- name: listed
{#
row = "one row per recommended item of the lists that count"
grain = "item"
inline = true
#}
select {{ model("r") }}r.user_id, r.item_id, {{ "min(r.rank) as rank" if duplicates in ["hole", "set"] else "r.rank" }}
from recommended as r{% if owners_of_lists %}

inner join {{ owners_of_lists }} as g on g.user_id = r.user_id{% endif %}{% if duplicates in ["hole", "set"] %}

group by {{ model("r") }}r.user_id, r.item_id{% endif %}

-- name: train_items
{#
row = "one row per item in train"
grain = "item"
also = "segment user"

[options.train]
input = true
about = "a table of the interactions that the models were trained on"
topic = "catalogue"
type = "table"
#}
select distinct t.item_id
from given_train as t
where t.item_id is not null{{ guard("id_types", left="recs", right="train", columns=["item_id"]) | indent }}

-- name: train_totals
{#
row = "a single row: the number of rows of train, and of users if a metric counts these"
grain = "list"
#}
select
{% if train_users_counted %}
    count(distinct t.user_id) as users,
{% endif %}
    count(*) as interactions
from given_train as t
where t.item_id is not null

-- name: item_novelties
{#
row = "one row per item in train: its self-information in bits"
grain = "list"
#}
select
    t.item_id,
    log2({{ double("n." ~ novelty_base) }} / t.{{ novelty_base }}) as novelty
from train_counts as t
cross join train_totals as n

-- name: most_popular_first
{#
row = "one row per item in train: the users of all more popular items, and of all items"
grain = "item"
#}
select
    t.item_id,
    sum(t.users) over (order by t.users desc, t.item_id asc rows between unbounded preceding and current row) - t.users as before,
    sum(t.users) over () as total
from train_counts as t

-- name: discoveries
{#
row = "one row per item in train: its self-information by the rows of train, in bits, and the share of the users of train who lack it"
grain = "list"
also = "user"
#}
select
    t.item_id{% if needs.discovery %},
    log2({{ double("n.interactions") }} / t.interactions) as information{% endif %}{% if needs.unpopular_gain %},
    1e0 - t.users / {{ double("n.users") }} as complement{% endif %}

from train_counts as t
cross join train_totals as n

-- name: unknown_discovery
{#
row = "a single row: the same of an item that is not in train"
grain = "list"
also = "user"

[options.discovery_unseen]
about = "what an item that is not in train counts in efd and epc"
topic = "discount"
default = "one"

[options.discovery_unseen.values]
one = "as an item with one row and one user"
max = "the largest value of an item in train"
#}
{% set information = "log2(" ~ double("nullif(n.interactions, 0)") ~ ")" if discovery_unseen == "one" else "max(n.information)" %}
{% set complement = "1e0 - 1e0 / nullif(n.users, 0)" if discovery_unseen == "one" else "max(n.complement)" %}
select
    {{ information if needs.discovery else "null" }} as information,
    {{ complement if needs.unpopular_gain else "null" }} as complement
from {{ "train_totals" if discovery_unseen == "one" else "discoveries" }} as n

-- name: tail_items
{#
row = "one row per item of the long tail of train"
grain = "list"
#}
{% if tail_share_part == "interactions" %}
select n.item_id
from most_popular_first as n
where n.before >= cast({{ tail_share_head }} as decimal(10, 9)) * n.total
{% elif tail_share_part == "rows" %}
select t.item_id
from train_counts as t
where t.interactions <= {{ tail_share_rows }}
{% else %}
select n.item_id
from (
    select
        t.item_id,
        row_number() over (order by t.interactions asc, t.item_id asc) as place,
        count(*) over () as items
    from train_counts as t
) as n
where n.place <= greatest(floor(cast({{ tail_share_ratio }} as decimal(10, 9)) * n.items), 1)
{% endif %}

-- name: popularity_places
{#
row = "one row per item in train: its place by the number of its rows; equal numbers share a place"
grain = "list"
#}
select t.item_id, dense_rank() over (order by t.interactions desc) as place
from train_counts as t

-- name: popularity_shares
{#
row = "one row per item in train: its place by popularity, the most popular one last, as a share of the items; equal ones have the mean of their places"
grain = "list"
#}
{% set popularity = "t." ~ popularity_base %}
select
    t.item_id,
    (rank() over (order by {{ popularity }} asc) + (count(*) over (partition by {{ popularity }}) - 1) / 2e0) / count(*) over () as share
from train_counts as t
where {{ popularity }} is not null

-- name: unknown_place
{#
row = "a single row: the place by popularity of an item that is not in train, after all items of the catalogue"
grain = "list"
#}
{% if catalog_size is none %}
select count(distinct i.item_id) + 1 as place
from given_items as i
{% else %}
select {{ catalog_size }} + 1 as place
{% endif %}

-- name: lists_at_k
{#
row = "one row per model, user and cut-off: the sums over the items of the list"
grain = "list"
sums = { over = "list_items", alias = "b", reader = "at_k", of_each_list = true }
#}
{{ sums_of_each_list("listed", row="r", kind="list_items", from_rank=true) }}

-- name: item_categories
{#
row = "one row per item and category of the item"
grain = "item"

[options.category_separator]
about = "what is between the categories of an item in one text, such as | in Crime|Drama; an empty text if each is one category"
topic = "catalogue"
type = "text"
input = true
#}
{% set rows %}
select distinct i.item_id, i.category
{% if category_separator %}
from (
    select g.item_id, {{ sql.pieces("g.category", literal(category_separator)) }} as category
    from given_items as g
) as i
where i.item_id is not null and i.category not in ('', '(no genres listed)')
{% else %}
from given_items as i
where i.item_id is not null and {{ sql.text("i.category") }} <> '(no genres listed)'
{% endif %}
{% endset %}
{% if needs.category_shares %}
select i.item_id, i.category, {{ double("count(*) over (partition by i.item_id)") }} as categories
from (
    {{ rows | trim | indent }}
) as i
{% else %}
{{ rows | trim }}
{% endif %}

-- name: categorised
{#
row = "one row per item with a category: the number of its categories"
grain = "list"
#}
select g.item_id, {{ double("count(*)") }} as categories
from item_categories as g
group by g.item_id

-- name: category_counts
{#
row = "one row per model, user, cut-off and category: how many items of the list have it; category is NULL for items without one"
grain = "item"
#}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    c.k,
    g.category,
{% if needs.category_shares %}
    {{ sql.exact_sum("1e0 / g.categories") }} as share,
    {{ sql.exact_sum("1e0 / sqrt(g.categories)") }} as weight,
{% endif %}
    count(g.category) as items
from listed as r
inner join cutoffs as c on c.k >= r.rank
left join item_categories as g on g.item_id = r.item_id
group by {{ model("r") }}r.user_id, c.k, g.category

-- name: list_categories_at_k
{#
row = "one row per model, user and cut-off: the sums over the categories of the list"
grain = "list"
sums = { over = "list_categories", alias = "d", reader = "at_k", of_each_list = true }
#}
{{ sums_of_each_list("category_counts", row="g", kind="list_categories") }}

-- name: list_pairs
{#
row = "one row per pair of items in a list: the lower of their ranks, and the Jaccard distance of their categories"
grain = "list"
#}
{# The lower rank is the cut-off from which both items are in the list. Items without a category have distance 0 to each other. #}
select
{% if modelled %}
    p.model,
{% endif %}
    p.user_id,
    p.rank,
    coalesce(1e0 - p.shared / nullif(coalesce(a.categories, 0e0) + coalesce(b.categories, 0e0) - p.shared, 0e0), 0e0) as distance
from (
    select {{ model("r") }}r.user_id, r.item_id, s.item_id as other_id, s.rank, {{ double("count(b.category)") }} as shared
    from listed as r
    inner join listed as s
        on {{ same_model("s", "r") }}s.user_id = r.user_id and (s.rank > r.rank or (s.rank = r.rank and s.item_id > r.item_id))
    left join item_categories as a on a.item_id = r.item_id
    left join item_categories as b on b.item_id = s.item_id and b.category = a.category
    group by {{ model("r") }}r.user_id, r.item_id, r.rank, s.item_id, s.rank
) as p
left join categorised as a on a.item_id = p.item_id
left join categorised as b on b.item_id = p.other_id

-- name: list_pairs_at_k
{#
row = "one row per model, user and cut-off: the sums over the pairs of items in the list"
grain = "list"
sums = { over = "list_pairs", alias = "j", reader = "at_k", of_each_list = true }
#}
{{ sums_of_each_list("list_pairs", row="p", kind="list_pairs", from_rank=true) }}

-- name: item_vectors
{#
row = "one row per item with a vector: its vector, and the largest of the absolute values there"
grain = "list"
#}
select i.item_id, i.vector, {{ sql.highest(sql.mapped("i.vector", "e", "abs(try_cast(e as double))")) }} as largest
from (
    select i.item_id, max(i.vector) as vector
    from given_items as i
    where i.item_id is not null and i.vector is not null
    group by i.item_id
) as i

-- name: item_components
{#
row = "one row per item and component of its vector that is not 0, as a part of the largest"
grain = "list"
#}
{# Only the direction counts: squares of such parts neither vanish nor overflow, whatever the unit of the vector. #}
select v.item_id, v.place, try_cast(v.value as double) / v.largest as value
from (
    select i.item_id, i.largest, {{ sql.components("i.vector") }}
    from item_vectors as i
    where i.largest > 0
) as v
where try_cast(v.value as double) <> 0

-- name: list_components
{#
row = "one row per model, user, cut-off and component: the sum of the unit vectors of the items, and that of their squares"
grain = "list"
#}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    c.k,
    v.place,
    {{ sql.exact_sum("v.value / n.length") }} as total,
    {{ sql.exact_sum("v.value / n.length * v.value / n.length") }} as squares
from listed as r
inner join cutoffs as c on c.k >= r.rank
inner join item_components as v on v.item_id = r.item_id
inner join (
    select v.item_id, sqrt({{ sql.exact_sum("v.value * v.value") }}) as length
    from item_components as v
    group by v.item_id
) as n on n.item_id = v.item_id
group by {{ model("r") }}r.user_id, c.k, v.place

-- name: list_components_at_k
{#
row = "one row per model, user and cut-off: the sums over the components of the list"
grain = "list"
sums = { over = "list_components", alias = "z", reader = "at_k", of_each_list = true }
#}
{{ sums_of_each_list("list_components", row="c", kind="list_components") }}

-- name: user_tastes
{#
row = "one row per user in train and category: the share of the user's rows of train that it has"
grain = "list"
#}
{# A row of several categories counts as an equal part of each; rows without a category don't count. #}
select
    n.user_id,
    n.category,
    n.share / m.events as share
from (
    select t.user_id, g.category, {{ sql.exact_sum("1e0 / g.categories") }} as share
    from given_train as t
    inner join item_categories as g on g.item_id = t.item_id
    where t.user_id is not null{{ guard("id_types", left="recs", right="train", columns=["user_id", "item_id"]) | indent(8) }}
    group by t.user_id, g.category
) as n
inner join (
    select t.user_id, {{ double("count(*)") }} as events
    from given_train as t
    inner join categorised as g on g.item_id = t.item_id
    group by t.user_id
) as m on m.user_id = n.user_id

-- name: list_tastes
{#
row = "one row per model, user, cut-off and category of the user's train: its share there, and in the list"
grain = "list"
#}
select
{% if modelled %}
    n.model,
{% endif %}
    n.user_id,
    n.k,
    t.share as wanted,
    coalesce(g.share, 0e0) / n.total as listed
from (
    select {{ model("g") }}g.user_id, g.k, {{ sql.exact_sum("g.share") }} as total
    from category_counts as g
    where g.category is not null
    group by {{ model("g") }}g.user_id, g.k
) as n
inner join user_tastes as t on t.user_id = n.user_id
left join category_counts as g
    on {{ same_model("g", "n") }}g.user_id = n.user_id and g.k = n.k and g.category = t.category

-- name: list_tastes_at_k
{#
row = "one row per model, user and cut-off: the sums over the categories of the user's train"
grain = "list"
sums = { over = "list_tastes", alias = "v", reader = "at_k", of_each_list = true }
#}
{{ sums_of_each_list("list_tastes", row="t", kind="list_tastes") }}
