{#
row = "one row per pair of models, metric and cut-off: the means, their difference, its standard error and t"
grain = "pair"

[options.margin]
about = "the difference that the test allows: greater tests for one above -margin, less for one below -margin"
topic = "comparison"
type = "number"
default = 0
at_least = -1000000000
at_most = 1000000000
where = { alternative = "greater less", test = "t" }
#}
{% macro either(x, y) %}{{ "coalesce(" ~ x ~ ", " ~ y ~ ")" if jackknifed else y }}{% endmacro %}
{# If all differences are equal, rounding and units of 1e-18 leave a small variance. A metric that is not a mean has a standard error and no variance. #}
select
    v.*,
    row_number() over (
        order by
            {{ turn("v.model") }} asc nulls first,
            {{ turn("v.baseline") }} asc nulls first,
{% if pairs_sliced %}
            v.slice asc,
            {{ order_of_segment("v") }}v.segment asc nulls last,
{% endif %}
            {{ place_in_call("v") }} asc,
            v.k asc
    ) as number,
    abs(v.beyond) / nullif(v.std_error, 0e0) as t
from (
    select
        s.*,
        {{ "s.clusters" if clustered else "coalesce(s.groups, s.users)" if jackknifed else "s.users" }} - 1e0 as df,
        s.difference + {{ double(margin) }} as beyond,
{% if clustered %}
        case
            when s.clusters > 1 and (s.variance = 0e0 or s.errors <= greatest(1e-12 * s.cluster_squares, 1e-18 * s.clusters)) then 0e0
            else sqrt(s.errors * s.clusters / nullif(s.clusters - 1e0, 0e0)) / nullif(s.users, 0)
        end as std_error
{% else %}
        {{ either("s.jackknifed", "sqrt(s.variance / nullif(s.users - 1e0, 0e0))") }} as std_error
{% endif %}
    from (
        select
            m.*,{% if clustered %}

            m.cluster_squares - 2e0 * m.difference * m.cluster_products + m.difference * m.difference * m.cluster_sizes as errors,{% endif %}

            case
                when m.users = 0 then null
                when m.wins + m.losses = 0 then 0e0
                when m.moment - m.difference * m.difference <= greatest(1e-12 * m.moment, 8e-16 * m.base_moment + 2e-18)
                    then case when m.wins + m.losses = m.users then 0e0 end
                else m.moment - m.difference * m.difference
            end as variance
        from (
            select
                p.model,
                p.baseline,
{% if pairs_sliced %}
                p.slice,
                p.segment,
{% endif %}
                p.place,
                p.metric,
{% if not named %}
                p.definition,
{% endif %}
                p.k,
                p.users,
                p.unpaired,
                p.wins,
                p.losses,
{% for name in pair_counts %}
                p.{{ name }},
{% endfor %}
                {{ either("p.value", sql.of_units("p.sum") ~ " / nullif(p.users, 0)") }} as value,
                {{ either("p.baseline_value", sql.of_units("p.base_sum") ~ " / nullif(p.users, 0)") }} as baseline_value,
                {{ either("p.value - p.baseline_value", sql.of_units("(p.sum - p.base_sum)") ~ " / nullif(p.users, 0)") }} as difference,
{% if jackknifed %}
                p.std_error as jackknifed,
                p.groups,
{% endif %}
                {{ sql.of_units("(p.squares + p.base_squares - p.products - p.products)") }} / nullif(p.users, 0) as moment,
                {{ sql.of_units("p.base_squares") }} / nullif(p.users, 0) as base_moment,
                {{ sql.of_units("(p.products - p.base_squares)") }} / nullif(p.users, 0) as cross_moment{% if clustered %},
                {{ sql.of_units("p.cluster_squares") }} as cluster_squares,
                {{ sql.of_units("p.base_cluster_squares") }} as base_cluster_squares,
                {{ sql.of_units("p.base_cluster_products") }} as base_cluster_products,
                {{ sql.of_units("p.cluster_products") }} as cluster_products,
                p.cluster_sizes,
                p.clusters{% endif %}{% if test in ["wilcoxon", "randomisation"] %},
                p.z,
                p.flipped,
                p.p_method{% endif %}

            from given_paired as p{% if small %}

            where p.slice = 0 or p.users >= {{ min_users }}{% endif %}

        ) as m
    ) as s
) as v
