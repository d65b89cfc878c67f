{#
Of a model of lists. With `fail_if` maybe-worse, it finds each model that is not shown not to be worse than the baseline by more than the
margin: p is two-sided, and half of it is the tail of one side. Without it, it finds each model that is shown to be worse, or can't be tested.
#}
{% test recsql_not_worse_than(model, truth, baseline, metric, k, margin=0, fail_if="worse") %}
{%- set other = [
    "fallout", "false_negative_rate", "false_negatives", "false_positive_rate", "false_positives", "first_hit_rank", "first_rank",
    "fn", "fnr", "fp", "fpr", "ideal_dcg", "idcg", "judged", "judgement_rate", "judgment_rate", "miss_rate", "percentile_rank",
    "expected_percentile_rank", "mean_percentile_rank", "percentileranking", "rank_of_first_hit", "rbp_resid",
    "rbp_residual",
] -%}
{%- for one in ([metric] if metric is string else metric) if execute and one | lower in other -%}
    {{ exceptions.raise_compiler_error("recsql_not_worse_than: high values of " ~ one ~ " are not the better ones; leave it out") }}
{%- endfor -%}
{%- if execute and fail_if not in ["worse", "maybe-worse"] -%}
    {{ exceptions.raise_compiler_error("recsql_not_worse_than: fail_if: " ~ fail_if ~ " is neither worse nor maybe-worse") }}
{%- elif execute and fail_if == "maybe-worse" and not margin > 0 -%}
    {{ exceptions.raise_compiler_error("recsql_not_worse_than: margin: it is not above 0, and equal models can then never pass maybe-worse") }}
{%- endif -%}
with recs as (select * from {{ model }})
select *
from ({{ recsql.call("compare", ["recs", truth], dict(kwargs, k=k, metrics=metric, baseline=baseline, margin=margin)) }})
{%- if fail_if == "worse" %}
where verdict in ('lower', 'untested')
{%- else %}
where not coalesce(
    verdict in ('same', 'not_lower') or (difference + {{ margin }} > 0 and p / 2 < round(1 - {{ kwargs.get("confidence", 0.95) }}, 12)), false
)
{%- endif %}
{% endtest %}
