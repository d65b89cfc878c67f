{#
row = "one row per pair of models, metric and cut-off: the sums for the test and the interval"
grain = "pair"
#}
{% macro sums(names) %}{% for name, column in names.items() %}
    {{ of_metric("s.{name}" ~ column, of="a") | indent }} as {{ name }}{{ "," if not loop.last }}
{% endfor %}{% endmacro %}
{% macro of_groups(text) %}
case a.place
{% for column in by_groups(shown_columns) %}
        when {{ column.place }} then {{ text.format(order=column.order, ks=column.ks | join(", ")) }}
{% endfor %}
    end
{%- endmacro %}
{% if in_rows %}
select
    p.model,
    p.baseline,
    s.place,
    a.metric,
    s.k,
    s.users,
    s.unpaired,
    s.wins,
    s.losses,
    s.sum,
    s.base_sum,
    s.squares,
    s.base_squares,
    s.products
from paired_sums as s
inner join model_pairs as p on p.pair = s.pair
inner join asked as a on a.place = s.place{% set cut = user_columns | selectattr("needs_cutoff") | map(attribute="metric") | join("', '") %}{% if cut %}

where s.k < {{ whole }} or a.metric not in ('{{ cut }}'){% endif %}

{% elif pair_sums %}
select
    p.model,
    p.baseline,
{% if pairs_sliced %}
    g.slice,
    g.segment,
{% endif %}
    {{ of_metric("{order}", of="a") | indent }} as place,
    a.metric,
    a.definition,
    s.k,
    {{ sums({"users": "_users", "unpaired": "_unpaired", "wins": "_wins", "losses": "_losses", "sum": "", "base_sum": "_base", "squares": "_squares", "base_squares": "_base_squares", "products": "_products"}) | trim }}{% if clustered %},
    {{ of_metric("e.{name}_cluster_squares", of="a") | indent }} as cluster_squares,
    {{ of_metric("e.{name}_base_cluster_squares", of="a") | indent }} as base_cluster_squares,
    {{ of_metric("e.{name}_base_cluster_products", of="a") | indent }} as base_cluster_products,
    {{ of_metric("e.{name}_cluster_products", of="a") | indent }} as cluster_products,
    {{ of_metric("e.{name}_cluster_sizes", of="a") | indent }} as cluster_sizes,
    {{ of_metric("e.{name}_clusters", of="a") | indent }} as clusters{% endif %}{% if by_signs %},
    v.total / sqrt(v.squares) as z,
    {{ "coalesce(f.p, h.p, t.p)" if by_flips else "t.p" }} as flipped,
    case
        when {{ "f.p is not null or " if by_flips }}t.is_exact then 'exact'
{% if by_flips %}
        when h.p is not null then 'drawn'
        when t.p is not null then 'rounded'
{% else %}
        when v.users > 50 then 'normal'
{% endif %}
    end as p_method{% endif %}{% if jackknifed %},
    cast(null as double) as value,
    cast(null as double) as baseline_value,
    cast(null as double) as std_error,
    cast(null as bigint) as groups{% endif %}

from paired_sums as s
{% if pairs_sliced %}
inner join segment_pairs as g on g.number = s.pair
inner join model_pairs as p on p.pair = g.pair
{% else %}
inner join model_pairs as p on p.pair = s.pair
{% endif %}
cross join asked as a{% if clustered %}

left join paired_moments as e on e.pair = s.pair and e.k = s.k{% endif %}{% if by_signs %}

left join size_sums as v on v.pair = s.pair and v.place = a.place and v.k = s.k
left join turned as t on t.pair = s.pair and t.place = a.place and t.k = s.k{% if by_flips %}

left join flipped as f on f.pair = s.pair and f.place = a.place and f.k = s.k
left join drawn_signs as h on h.pair = s.pair and h.place = a.place and h.k = s.k{% endif %}{% endif %}{% if ks_differ %}

where
    {{ of_metric("s.k in ({ks})", of="a") | indent }}{% elif pair_groups %}

where
    {{ of_metric("true", of="a") | indent }}{% endif %}

{% endif %}
{% if pair_sums and pair_errors %}
union all
{% endif %}
{% if pair_errors %}
{# A metric that is not a mean has no sums over users. #}
select
    j.model,
    j.baseline,
{% if pairs_sliced %}
    j.slice,
    j.segment,
{% endif %}
    {{ of_groups("{order}") | indent }} as place,
    a.metric,
    a.definition,
    j.k,
    j.users,
    cast(null as bigint) as unpaired,
    cast(null as bigint) as wins,
    cast(null as bigint) as losses,
{% for name in ["sum", "base_sum", "squares", "base_squares", "products"] %}
    cast(null as decimal(38, 0)) as {{ name }},
{% endfor %}
    j.value,
    j.baseline_value,
    j.std_error,
    j.groups
from paired_jackknives as j
inner join asked as a on a.place = j.place{% if ks_differ %}

where
    {{ of_groups("j.k in ({ks})") | indent }}{% endif %}

{% endif %}
