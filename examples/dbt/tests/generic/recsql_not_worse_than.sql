{# Of a model of lists: finds each model that is shown to be worse than the baseline by more than the margin, or can't be tested. #}
{% test recsql_not_worse_than(model, truth, baseline, metric, k, margin=0) %}
{%- set other = [
    "fallout", "false_negative_rate", "false_negatives", "false_positive_rate", "false_positives", "first_hit_rank", "first_rank",
    "fn", "fnr", "fp", "fpr", "ideal_dcg", "idcg", "judged", "judgement_rate", "judgment_rate", "miss_rate", "percentile_rank",
    "expected_percentile_rank", "mean_percentile_rank", "percentileranking", "rank_of_first_hit",
] -%}
{%- for one in ([metric] if metric is string else metric) if execute and one | lower in other -%}
    {{ exceptions.raise_compiler_error("recsql_not_worse_than: high values of " ~ one ~ " are not the better ones; leave it out") }}
{%- endfor -%}
with recs as (select * from {{ model }})
select *
from ({{ recsql.call("compare", ["recs", truth], dict(kwargs, k=k, metrics=metric, baseline=baseline, margin=margin)) }})
where verdict in ('lower', 'untested')
{% endtest %}
