{#
Overlaps: how alike the lists of two models are, user by user, without truth.

Goes in: the lists with their lengths and ranked items, and the pairs of models. Comes out: pair_overlaps, one row per
pair of models and user with a list of either.
#}

-- name: paired_lists
{#
row = "one row per pair of models and user whom either model has a list for: the lengths of the two lists, cut at k"
grain = "overlap"
kept = true
#}
{% macro sizes_of(name) %}
select p.pair, n.user_id, least(n.returned, {{ depth }}) as items
from model_pairs as p
inner join lists as n on n.model is not distinct from p.{{ name }}
{% endmacro %}
select
    coalesce(a.pair, b.pair) as pair,
    coalesce(a.user_id, b.user_id) as user_id,
    a.items,
    b.items as base_items,
    least(a.items, b.items) as shorter,
    greatest(a.items, b.items) as longer,
    a.items is not null and b.items is not null as both_there
from (
    {{ sizes_of("model") | trim | indent }}
) as a
full outer join (
    {{ sizes_of("baseline") | trim | indent }}
) as b on b.pair = a.pair and b.user_id = a.user_id

-- name: common_items
{#
row = "one row per pair of models, user and item in the top k of both lists: its two ranks"
grain = "overlap"
#}
{# A join by the number of the pair is cheaper than one by the name of a model. #}
{% macro items_of(name) %}
select p.pair, r.user_id, r.item_id, r.rank
from model_pairs as p
inner join recommended as r on r.model is not distinct from p.{{ name }}
{% endmacro %}
select a.pair, a.user_id, a.item_id, a.rank, b.rank as base_rank
from (
    {{ items_of("model") | trim | indent }}
) as a
inner join (
    {{ items_of("baseline") | trim | indent }}
) as b on b.pair = a.pair and b.user_id = a.user_id and b.item_id = a.item_id

-- name: common_items (fast)
{#
inline = true
when = "'recs' in tables and len(tables['recs'].models) == 2"
buys = "two models with 500,000 lists of 10 items: 2.2 CPU seconds instead of 3.5, as the items of each model are read from its own table and joined without its name; the check for copies reads them only if there is one"
#}
{% set base = baseline if baseline is not none else tables.recs.models | sort(case_sensitive=true) | last %}
select p.pair, a.user_id, a.item_id, a.rank, b.rank as base_rank
from recommended as a
inner join recommended as b on b.user_id = a.user_id and b.item_id = a.item_id
cross join model_pairs as p
where a.model <> {{ literal(base) }} and b.model = {{ literal(base) }}

-- name: weights
{#
row = "one row per depth from 0 to twice the longest list: the sums of p^d / d and of p^d down to it"
grain = "overlap"

[options.overlap__p]
about = "of rbo: the probability of going on from one depth to the next; at 0.9, the first ten ranks have 86 % of the weight"
topic = "agreement"
default = 0.9
type = "number"
above = 0
below = 1
#}
{% set weight = "power(" ~ double(overlap__p) ~ ", i.i)" %}
select
    i.i as depth,
    sum({{ sql.in_units("case when i.i > 0 then " ~ weight ~ " / i.i else 0e0 end") }}) over (order by i.i asc) / 1e18 as harmonic,
    sum({{ sql.in_units("case when i.i > 0 then " ~ weight ~ " else 0e0 end") }}) over (order by i.i asc) / 1e18 as geometric
from {{ sql.whole_numbers(0, "(select coalesce(2 * max(least(n.returned, " ~ depth ~ ")), 0) from lists as n)") }} as i

-- name: agreements
{#
row = "one row per pair of models and user with a common item: their number, also within the shorter list, the weights above them, and the distinct ranks"
grain = "overlap"
#}
{% macro bits(rank) %}{{ sql.bit_count("bit_or(" ~ sql.bit_of("try_cast(" ~ rank ~ " as bigint)") ~ ")") }}{% endmacro %}
select
    c.pair,
    c.user_id,
    count(*) as items,
    count(case when greatest(c.rank, c.base_rank) <= n.shorter then 1 end) as within,
    {{ sql.exact_sum("w.harmonic") }} as above,
    least(
        {{ bits("c.rank") }},
        {{ bits("c.base_rank") }}
    ) as rank_bits
from common_items as c
inner join paired_lists as n on n.pair = c.pair and n.user_id = c.user_id
inner join weights as w on w.depth = greatest(c.rank, c.base_rank) - 1
group by c.pair, c.user_id

-- name: pair_overlaps
{#
row = "one row per pair of models and user with a list of either: how alike the lists are, NULL without a list of both"
grain = "overlap"

[options.overlap__denominator]
about = "what overlap divides the number of common items by"
topic = "agreement"
default = "k"

[options.overlap__denominator.values]
k = "the cut-off"
returned = "the items of the model's list"
shorter = "the items of the shorter list"
union = "the items that either list has: the Jaccard index"

[options.overlap__kind]
about = "what rbo takes the ranks below the ends of the lists for"
topic = "agreement"
default = "extrapolated"

[options.overlap__kind.values]
extrapolated = "as alike as the ranks above them (Webber et al. 2010, equation 32, which also has lists of different lengths)"
least = "without a common item: the smallest value that longer lists could have"
most = "as alike as they can be: the largest value that longer lists could have"
truncated = "not there: the mean of the shares down to a depth, weighted by p^(d - 1)"

[options.overlap__depth]
about = "down to where rbo(kind=truncated) goes"
topic = "agreement"
default = "k"
where = { overlap__kind = "truncated" }

[options.overlap__depth.values]
k = "the cut-off, also if both lists are shorter"
longer = "the end of the longer list"
#}
{% set p = double(overlap__p) %}
{% set divisor = {"k": double(depth), "returned": "t.returned", "shorter": "t.shorter", "union": "t.returned + t.base_returned - t.items"}[overlap__denominator] %}
{% set bottom = depth if overlap__kind == "truncated" and overlap__depth == "k" else "n.longer" %}
{# Webber, Moffat and Zobel 2010. With x common items down to depth d, x / d is the agreement at d; rbo is its mean with the weights (1 - p) p^(d - 1). #}
select
    t.pair,
    t.user_id,
    t.returned,
    t.base_returned,
    case when t.both_there then coalesce(t.items / nullif({{ divisor }}, 0e0), 0e0) end as overlap,
    case
        when t.both_there
            then coalesce(
{% if overlap__kind == "truncated" %}
                (t.items * t.bottom_harmonic - t.above) / nullif(t.bottom_geometric, 0e0),
{% elif overlap__kind == "extrapolated" %}
                (1 - {{ p }}) / {{ p }} * (
                    t.items * t.bottom_harmonic
                    - t.above
                    + t.within / nullif(t.shorter, 0e0) * (t.further_geometric - t.shorter * t.further_harmonic)
                )
                + ((t.items - t.within) / nullif(t.longer, 0e0) + t.within / nullif(t.shorter, 0e0)) * power({{ p }}, t.longer),
{% elif overlap__kind == "least" %}
                (1 - {{ p }}) / {{ p }} * (t.items * -ln(1 - {{ p }}) - t.above),
{% else %}
                (1 - {{ p }}) / {{ p }} * (
                    t.items * t.bottom_harmonic
                    - t.above
                    + t.further_geometric
                    - t.shorter * t.further_harmonic
                    + 2 * (t.either_geometric - t.bottom_geometric)
                    - t.either * (t.either_harmonic - t.bottom_harmonic)
                )
                + power({{ p }}, t.either),
{% endif %}
                0e0
            )
    end as rbo
from (
    select
        n.pair,
        n.user_id,
        n.both_there,
        {{ double("n.items") }} as returned,
        {{ double("n.base_items") }} as base_returned,
        {{ double("n.shorter") }} as shorter,
        {{ double("n.longer") }} as longer,
        {{ double("coalesce(c.items, 0)") }} as items,
        {{ double("coalesce(c.within, 0)") }} as within,
        coalesce(c.above, 0e0) as above{% if overlap__kind != "least" %},
        b.harmonic as bottom_harmonic,
        b.geometric as bottom_geometric{% endif %}{% if overlap__kind in ["extrapolated", "most"] %},
        b.harmonic - s.harmonic as further_harmonic,
        b.geometric - s.geometric as further_geometric{% endif %}{% if overlap__kind == "most" %},
        e.depth as either,
        e.harmonic as either_harmonic,
        e.geometric as either_geometric{% endif %}

    from paired_lists as n
    left join agreements as c on c.pair = n.pair and c.user_id = n.user_id
{% if overlap__kind != "least" %}
    left join weights as b on b.depth = {{ bottom }}
{% endif %}
{% if overlap__kind in ["extrapolated", "most"] %}
    left join weights as s on s.depth = n.shorter
{% endif %}
{% if overlap__kind == "most" %}
    left join weights as e on e.depth = n.shorter + n.longer - coalesce(c.items, 0)
{% endif %}
) as t
