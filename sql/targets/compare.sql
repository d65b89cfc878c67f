{#
The results of compare: the sums of pairs of models, then their differences with tests and intervals.
#}

-- name: paired
{# The sums behind a comparison, a row per pair of models, metric and cut-off. #}
select
    s.model,
    s.baseline,
{% if pairs_sliced %}
    s.slice,
    s.segment,
{% endif %}
    {{ place_in_call("s") ~ " as " if named and ranked }}{{ "s." if not (named and ranked) }}place,
    s.metric,
{% if not named %}
    s.definition,
{% endif %}
    s.k,
    s.users,
    s.unpaired,
    s.wins,
    s.losses,
    s.sum,
    s.base_sum,
    s.squares,
    s.base_squares,
    s.products{% if by_cluster %},
    s.cluster_squares,
    s.base_cluster_squares,
    s.base_cluster_products,
    s.cluster_products,
    s.cluster_sizes,
    s.clusters{% endif %}{% if by_signs %},
    s.z,
    s.flipped,
    s.p_method{% endif %}{% if jackknifed %},
    s.value,
    s.baseline_value,
    s.std_error,
    s.groups{% endif %}{% for name in pair_counts %},
    n.{{ name }}{% endfor %}

from paired as s
{% if pairs_reported %}
left join pair_reports as n on n.model is not distinct from s.model and n.baseline is not distinct from s.baseline
{% endif %}
where {{ measurable() }}

-- name: union
{# The rows of several queries. #}
{% for query in queries %}
select * from (
{{ query | indent(4, first=true) }}
) as q{{ loop.index }}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}

-- name: compare
{# A comparison: a row per pair of models, metric and cut-off. #}
{# Equal differences have no t test, and ten of them on one side are no chance: the sign test of ten has p = 0.002. #}
{% set counted_clusters = "coalesce(c.clusters, c.users)" if perhaps_clustered else "c.clusters" %}
{% set known = "c.std_error = 0e0 and least(c.wins, c.losses) = 0 and " ~ ("case when c.variance = 0e0 then c.users else " ~ counted_clusters ~ " end" if by_cluster else "c.users") ~ " >= " ~ (fewest.users if looks == "many" else 10) %}
select
    c.model,
    c.baseline,
{% if pairs_sliced %}
    {{ name_of_slice("c.slice") }} as slice,
    c.segment,
{% endif %}
    c.metric,
    {{ as_k("c.k") }},
{% if datasets %}
    cast({{ datasets }} as bigint) as datasets,
{% endif %}
    c.users,
{% if pairs_sliced %}
    {{ double("c.users") }} / max(case when c.slice = 0 and c.users > 0 then c.users end) over (partition by c.model, c.baseline, c.place, c.k) as share,
{% endif %}
    c.unpaired,
    c.value,
    c.baseline_value,
    c.difference,
    c.low,
    c.high,
    c.std_error,
    c.p,
    c.p_adjusted,
    case when c.p is not null then c.tests end as tests,
    case
        when c.users > 0 and c.wins + c.losses = 0 then 'same'
        when c.difference is null or c.p is null{{ " and not coalesce(" ~ known ~ ", false)" if test == "t" }} then 'untested'
        when not c.p_adjusted < round(1e0 - {{ interval }}, 12) then 'inconclusive'
{% if test == "t" and alternative != "two_sided" %}
        when c.p is null and c.beyond {{ "<= 1e-12" if alternative == "greater" else ">= -1e-12" }} then 'inconclusive'
{% endif %}
{% if test in ["wilcoxon", "sign"] %}
{% if alternative != "less" %}
        when c.difference > 0e0 and c.wins > c.losses then 'higher'
{% endif %}
{% if alternative != "greater" %}
        when c.difference < 0e0 and c.wins < c.losses then 'lower'
{% endif %}
        else 'differs'
{% else %}
{% if margin is string or margin > 0 %}
        when c.beyond > 0e0 and {{ margin }} > 0 then 'not_lower'
{% endif %}
{% if margin is string or margin < 0 %}
        when c.beyond < 0e0 and {{ margin }} < 0 then 'not_higher'
{% endif %}
        when c.beyond > 0e0 then 'higher'
        else 'lower'
{% endif %}
    end as verdict,
    c.wins,
    c.users - c.wins - c.losses as ties,
    c.losses,
    c.effect,
    c.detectable,
    c.relative,
    c.relative_low,
    c.relative_high,
{% if pairs_combined %}
    {{ datasets ~ " < 10" if vary == "datasets" else "coalesce(c.df < 49e0, true) or coalesce(c.wins + c.losses < " ~ fewest.differing ~ ", false)" }} as few{% else %}
    {{ "case when c.groups is not null then c.users < 200 else " if jackknifed }}{{ "coalesce(c.clusters < 40, c.users < " ~ fewest.users ~ ")" if perhaps_clustered else "c.clusters < 40" if clustered else "c.users < " ~ fewest.users }} or c.wins + c.losses < {{ fewest.differing }}{{ " end" if jackknifed }} as few{% endif %}{% if contributions == "true" %},
    x.contribution,
    x.of_difference,
    x.excess,
    x.q,
    x.q_p{% endif %}{% if outcome == "true" %},
    {{ outcome_of("verdict") | indent }} as outcome{% endif %}{% if test in ["wilcoxon", "randomisation"] %},
    coalesce(c.p_method, 'exact') as p_method{% endif %}{% if test == "sign" %},
    {{ double("c.wins - c.losses") }} / (2 * nullif(c.users, 0)) as preference{% endif %}{% if not named %},
    c.definition{% endif %}{% if small and not named %},
    coalesce(g.segments, 0) as segments_left_out{% endif %}{% for name in pair_counts %},
    c.{{ name }}{% endfor %}{% if pairs_reported %},
    (select w.message from warnings as w) as warning{% endif %}

from paired_intervals as c
{% if contributions == "true" %}
inner join contributions as x on x.number = c.number
{% endif %}
{% if small and not named %}
left join small_segments as g on g.model is not distinct from c.model and g.baseline is not distinct from c.baseline
{% endif %}
order by c.number asc

-- name: differences
{# Who won and who lost: a row per pair of models, user, metric and cut-off. #}
select
    p.model,
    p.baseline,
    {{ as_given("s.user_id") }},{{ text_column() }}
    a.metric,
    {{ as_k("s.k") }},
    {{ of_metric("s.{name}", of="a") | indent }} as value,
    {{ of_metric("s.{name}_base", of="a") | indent }} as baseline_value,
    {{ of_metric("s.{name} - s.{name}_base", of="a") | indent }} as difference,
    s.list_length,
    s.baseline_list_length,
    s.relevant{{ titles_column() }}{% for one in slices %},
    {{ segments_told(one) }}{% endfor %},
    a.definition
from differences as s
inner join model_pairs as p on p.pair = s.pair
{% if segmented %}
left join segment_lists as g on g.user_id = s.user_id
{% endif %}
cross join asked as a{{ text_join("s.user_id") }}{{ titles_join("s.user_id") }}
where
    {{ measurable() }}{% if ks_differ %}

    and {{ of_metric("s.k in ({ks})", of="a") | indent }}{% endif %}{% if not keyed %}

order by p.pair asc, s.user_id asc, a.place asc, s.k asc{% endif %}

-- name: differences_joined
{# The rows of several pipelines, in the order of the call. #}
select
    q.model,
    q.baseline,
    {{ as_given("q.user_id") }},{{ text_column("q.text") }}
    q.metric,
    {{ "cast(nullif(q.k, " ~ whole ~ ") as integer) as k" if uncut else "q.k" }},
    q.value,
    q.baseline_value,
    q.difference,
    q.list_length,
    q.baseline_list_length,
    q.relevant{{ titles_column("q.titles") }}{% for one in slices %},
    q.{{ one.title }}{% endfor %},
    q.definition

from (
{% filter indent(4, first=true) %}{% include "targets/compare.sql: union" %}{% endfilter %}
) as q
order by
    {{ turn("q.model") }} asc nulls first,
    {{ turn("q.baseline") }} asc nulls first,
    q.user_id asc,
    case q.metric
{% for column in numbered %}
        when {{ literal(column.heading) }} then {{ column.order }}
{% endfor %}
    end asc,
    q.k asc

-- name: users_with_best
{# How many users have the best possible value, per model, metric and cut-off. #}
{% for column in user_columns if column.best_is_one and column.shown %}
select {{ model_of("p") }}, {{ literal(column.heading) }} as metric, {{ as_k("p.k") }}, count(*) as users
from per_user as p
where p.{{ column.name }} > 1 - 1e-9
group by {{ model("p") }}p.k
{% if not loop.last %}

union all

{% endif %}
{% endfor %}
