{#
The tests of the differences.

Goes in: given_paired, one row per pair, metric and cut-off, with the sums. Comes out: contrasts, the differences with
their standard errors; p_values, one row per pair, metric and cut-off; corrections, the p-values corrected for the number of tests.
#}

-- name: given_paired
{#
row = "one row per pair of models, metric and cut-off: the sums for the test and the interval"
grain = "pair"
#}
{{ tables.paired.select }}

-- name: small_segments
{#
row = "one row per pair of models with segments of fewer than min_users users: the number of these segments"
grain = "pair"
#}
select g.model, g.baseline, count(*) as segments
from (
    select distinct p.model, p.baseline, p.slice, p.segment
    from given_paired as p
    where p.slice > 0 and p.users < {{ min_users }}
) as g
group by g.model, g.baseline

-- name: contrasts
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
            {{ order_of_segment("v") }}{{ by_size("v.segment") | indent(12) }},
            v.segment asc nulls last,
{% endif %}
            {{ place_in_call("v") }} asc,
            v.k asc
    ) as number,
    abs(v.beyond) / nullif(v.std_error, 0e0) as t
from (
    select
        s.*,
        {{ "coalesce(s.clusters, s.users)" if perhaps_clustered else "s.clusters" if clustered else "coalesce(s.groups, s.users)" if jackknifed else "s.users" }} - 1e0 as df,
        s.difference + {{ double(margin) }} as beyond,
{% if by_cluster %}
        case
{% if perhaps_clustered %}
            when s.clusters is null then sqrt(s.variance / nullif(s.users - 1e0, 0e0))
{% endif %}
            when s.clusters > 1 and (s.variance = 0e0 or s.errors <= greatest(1e-12 * s.cluster_squares, 1e-18 * s.clusters)) then 0e0
            else sqrt(s.errors * s.clusters / nullif(s.clusters - 1e0, 0e0)) / nullif(s.users, 0)
        end as std_error
{% else %}
        {{ either("s.jackknifed", "sqrt(s.variance / nullif(s.users - 1e0, 0e0))") }} as std_error
{% endif %}
    from (
        select
            m.*,{% if by_cluster %}

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
                p.k,{% if pairs_combined %}

                p.dataset,{% endif %}

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
                {{ sql.of_units("(p.products - p.base_squares)") }} / nullif(p.users, 0) as cross_moment{% if by_cluster %},
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

-- name: combined_contrasts
{#
row = "one row per pair of models, metric and cut-off: the means over data sets, their difference, its standard error and t"
grain = "pair"

[options.vary]
about = "what the users or data sets of the comparison stand for: the interval is for samples of these"
topic = "comparison"
default = "users"
also = "rank"

[options.vary.values]
users = "the data sets are given, and the users of each are a sample"
datasets = "the data sets are a sample, and each has one difference"
#}
{# Scores can have millions of pairs and data sets, for which a sorted list of each would take seconds. #}
{% macro added(x) %}{{ sql.near_sum(x) if "scores" in tables else sql.total(sql.ordered_list(x, "c.dataset")) }}{% endmacro %}
{% macro mean(x) %}case when count({{ x }}) = count(*) then {{ added(x) }} / count(*) end{% endmacro %}
{# A data set in which no user differs adds no variance; one whose standard error is not known leaves the pair untested. #}
{# Welch 1947 and Satterthwaite 1946 for the degrees of freedom. No single sample has a deviation or moments. #}
select
    v.*,
    v.difference + {{ double(margin) }} as beyond,
    abs(v.difference + {{ double(margin) }}) / nullif(v.std_error, 0e0) as t
from (
    select
        min(c.number) as number,
        c.model,
        c.baseline,
        c.place,
        c.metric,
        c.definition,
        c.k,
{% for name in ["users", "unpaired", "wins", "losses"] + pair_counts + (["clusters"] if by_cluster else []) %}
        cast({{ "max" if name.endswith("longest_list") else "sum" }}(c.{{ name }}) as bigint) as {{ name }},
{% endfor %}
{% set of_clusters = ["cluster_squares", "base_cluster_squares", "base_cluster_products"] if by_cluster else [] %}
{% for name in ["variance", "moment", "base_moment", "cross_moment"] + of_clusters %}
        cast(null as double) as {{ name }},
{% endfor %}
        {{ mean("c.value") }} as value,
        {{ mean("c.baseline_value") }} as baseline_value,
{% if vary == "users" %}
        {{ mean("c.difference") }} as difference,
        power({{ added("c.error") }}, 2) / nullif({{ added("c.error * c.error / c.df") }}, 0e0) as df,
        case when count(c.error) = count(*) then sqrt({{ added("c.error") }}) / count(*) end as std_error
{% else %}
        case when max(abs(c.difference)) <= 5e-13 then 0e0 else {{ mean("c.difference") }} end as difference,
        count(*) - 1e0 as df,
        case
            when max(abs(c.difference)) <= 5e-13 then 0e0
            when max(c.difference) - min(c.difference) >= 1e-12 and count(c.difference) = count(*)
                then sqrt({{ added("power(c.difference - c.center, 2)") }} / (count(*) - 1e0) / count(*))
        end as std_error
{% endif %}
    from (
        select
            c.*,
            {{ "c.middle" if "scores" in tables and rank__missing != "common" else "avg(c.difference) over (partition by c.model, c.baseline, c.place, c.k)" }} as center,
            case
                when c.wins + c.losses = 0 then 0e0
                when c.std_error > 0e0 or c.wins is null then c.std_error * c.std_error
            end as error
        from {{ "score_contrasts" if "scores" in tables else "contrasts" }} as c{% for one in ["model", "baseline"] if ranked and rank__missing != "error" %}

        inner join {{ "dataset_values" }} as {{ one[0] }} on {{ same(one[0], "c", one) }} and {{ one[0] }}.dataset = c.dataset and {{ one[0] }}.is_kept{% endfor %}

    ) as c
    group by c.model, c.baseline, c.place, c.metric, c.definition, c.k
) as v

-- name: t_tails
{#
row = "one row per pair of models, metric and cut-off: the two-sided tail of the t distribution"
grain = "pair"
#}
{% set compared %}
(
        select c.number, c.df, c.t
        from {{ contrast_rows }} as c
        where c.t is not null
    )
{%- endset %}
{{ t_tail(compared) }}

-- name: look_tails
{#
row = "one row per pair of models, metric and cut-off with enough users to look: p at every look, and `ratio`, the variance of t under the mixture over effects"
grain = "pair"
#}
{# 1 / p is the likelihood ratio of t under effects from N(0, g) and under none: Lindon et al. 2022, Wang and Ramdas 2024. Its logarithm can't overflow. #}
{% set g = "(ln(1e0 - 2e0 * ln(1e0 - " ~ interval ~ ")) - 2e0 * ln(1e0 - " ~ interval ~ ")) / " ~ double(planned_users) %}
select
    r.number,
    r.ratio,
    least(1e0, sqrt(r.ratio) * exp(-r.users / 2e0 * {{ ln_beyond_one("r.growth") | indent(4) }})) as p
from (
    select
        s.*,
        s.square * (s.ratio - 1e0) / (s.ratio + s.square) as growth
    from (
        select
            c.number,
            c.users,
            c.t * c.t / c.df as square,
            1e0 + c.users * {{ g }} as ratio
        from contrasts as c
        where c.t is not null and c.users >= {{ fewest.users }} and c.wins + c.losses >= {{ fewest.differing }}
    ) as s
) as r

-- name: p_values
{#
row = "one row per pair of models, metric and cut-off, with the p-value"
grain = "pair"

[options.test]
about = "the test of the difference"
topic = "comparison"
default = "t"

[options.test.values]
t = "the paired t test"
randomisation = "Fisher's randomisation test: the share of all flips of signs that reach the sum; no random numbers"
wilcoxon = "Wilcoxon's signed-rank test, without users who do not differ, exact up to 50 users who do; it tests ranks and not the mean"
sign = "the sign test: whether there are more wins than losses"

[options.alternative]
about = "what the test looks for"
topic = "comparison"
default = "two_sided"

[options.alternative.values]
two_sided = "a difference in either direction"
greater = "the model is better: difference > -margin"
less = "the model is worse: difference < -margin"

[options.looks]
about = "how often the comparison is looked at while users are added"
topic = "sequential"
default = "one"
where = { test = "t" }

[options.looks.values]
one = "once: p and the intervals hold for these users"
many = "as often as you like: p and the intervals hold at every look, from 50 users of whom 20 differ on"

[options.planned_users]
about = "the number of users at which the interval is narrowest; choose it before you look"
topic = "sequential"
default = 1000
type = "integer"
at_least = 1
where = { looks = "many" }
#}
{# The p-value of the alternative, from the two-sided x of a statistic with this sign. #}
{% macro one_sided(x, sign) %}
{% if alternative == "two_sided" %}{{ x }}{% else %}case when {{ sign }} {{ ">" if alternative == "greater" else "<" }} 0e0 then {{ x }} / 2e0 else 1e0 - {{ x }} / 2e0 end{% endif %}
{% endmacro %}
select
    s.*,
{% if test == "t" %}
{% if looks == "many" %}
    t.ratio,
    {{ "t.p" if alternative == "two_sided" else "case when s.beyond " ~ ("<=" if alternative == "greater" else ">=") ~ " 0e0 and t.p is not null then 1e0 else t.p end" }} as p
{% else %}
{# If all differences are equal and not 0, nothing tells how far off their mean could be. #}
    case
        when s.std_error = 0e0 and s.beyond = 0e0 then 1e0
        when s.std_error = 0e0 and s.wins + s.losses > 0 then null
{% if alternative != "two_sided" %}
        when s.std_error = 0e0 then case when s.beyond {{ ">" if alternative == "greater" else "<" }} 0e0 then 0e0 else 1e0 end
{% endif %}
        else {{ one_sided("t.p", sign="s.beyond") | indent(8) }}
    end as p
{% endif %}
from {{ contrast_rows }} as s
left join {{ "look_tails" if looks == "many" else "t_tails" }} as t on t.number = s.number
{% elif test == "sign" %}
    case
        when s.differing = 0e0 then 1e0
{% if alternative == "two_sided" %}
        else least(1e0, 2e0 * s.upper)
{% else %}
        when s.ahead >= s.behind then s.upper
        else 1e0 - s.upper
{% endif %}
    end as p
from (
    select
        s.*,
        case
            when s.reached > s.differing then 0e0
            when s.differing > 0e0
                then {{ half_tail("s.reached", n="s.differing") | indent(20) }}
        end as upper
    from (
        select
            s.*,
{% if alternative == "two_sided" %}
            greatest(s.ahead, s.behind) as reached
{% else %}
            case when s.ahead >= s.behind then s.ahead else s.behind + 1e0 end as reached
{% endif %}
        from (
            select
                s.*,
                s.wins + s.losses + 0e0 as differing,
                {{ "s.losses" if alternative == "less" else "s.wins" }} + 0e0 as ahead,
                {{ "s.wins" if alternative == "less" else "s.losses" }} + 0e0 as behind
            from contrasts as s
        ) as s
    ) as s
) as s
{% else %}
    case
        when s.wins + s.losses = 0 then 1e0
        when s.flipped is not null then s.flipped
        else {{ one_sided("least(1e0, 2e0 * s.upper)", sign="s.z") | indent(8) }}
    end as p
from (
    select
        s.*,
        {{ upper_normal("abs(s.z)") | indent(8) }} as upper
    from contrasts as s
) as s
{% endif %}

-- name: corrections
{#
row = "one row per pair of models, metric and cut-off, with the p-value corrected for the number of tests, and the tail beyond the interval"
grain = "pair"

[options.correction]
about = "how p-values are corrected for the number of tests in the family"
topic = "comparison"
default = "holm"

[options.correction.values]
holm = "Holm 1979, which controls the chance of any false finding"
bonferroni = "p times the number of tests; the intervals are widened as well"
bh = "Benjamini and Hochberg 1995, which controls the share of false findings"
none = "not corrected"

[options.family]
about = "which tests are corrected together"
topic = "comparison"
default = "all"

[options.family.values]
all = "all rows of the result"
metric = "the rows of one metric and cut-off"
#}
{% set by_metric = family == "metric" or ranked %}
{% set of_tests = "partition by t.number" if correction == "none" else "partition by t.place, t.k" if by_metric else "" %}
{% set before_order = "partition by t.place, t.k " if by_metric else "" %}
{% set turns = "partition by p.place, p.k " if by_metric else "" %}
{% if named and leading %}
{# A verdict has two comparisons, of one metric: with the best model, and with a baseline. #}
{% set of_tests = "partition by t.number" if correction == "none" else "partition by t.baseline" %}
{% set before_order, turns = "partition by t.baseline ", "partition by p.baseline " %}
{% endif %}
{# Rows without a p-value are in no family. Between looks they may get one, so with many looks they count. #}
select
    p.*,
{% if correction == "holm" %}
    case
        when p.p is not null
            then least(1e0, max(p.p * (p.tests - p.turn + 1)) over ({{ turns }}order by p.turn asc rows between unbounded preceding and current row))
    end as p_adjusted,
{% elif correction == "bh" %}
    case
        when p.p is not null
            then least(1e0, min(p.p * p.tests / p.turn) over ({{ turns }}order by p.turn asc rows between current row and unbounded following))
    end as p_adjusted,
{% elif correction == "bonferroni" %}
    case when p.p is not null then least(1e0, p.p * p.tests) end as p_adjusted,
{% else %}
    p.p as p_adjusted,
{% endif %}
    {{ "(1e0 - " ~ interval ~ ")" ~ (" / greatest(p.tests, 1)" if correction == "bonferroni") }} as tail
from (
    select
        t.*,
        count({{ "*" if looks == "many" else "t.p" }}) over ({{ of_tests }}) as tests,
        row_number() over ({{ before_order }}order by t.p asc nulls last, t.number asc) as turn
    from p_values as t
) as p
