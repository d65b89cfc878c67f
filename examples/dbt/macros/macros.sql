{#
A macro of dbt for each macro over tables in recsql.duckdb. The arguments are its tables; every other parameter is given by
name, such as k=10. `schema` is the name that another database of macros is attached under, such as trec_eval.
#}

{% macro evaluate(recs, truth) %}{{ recsql.call("evaluate", [recs, truth], kwargs) }}{% endmacro %}
{% macro evaluate_with_interval(recs, truth) %}{{ recsql.call("evaluate_with_interval", [recs, truth], kwargs) }}{% endmacro %}
{% macro evaluate_by(recs, truth, segments) %}{{ recsql.call("evaluate_by", [recs, truth, segments], kwargs) }}{% endmacro %}
{% macro per_user(recs, truth) %}{{ recsql.call("per_user", [recs, truth], kwargs) }}{% endmacro %}
{% macro counted(recs, truth) %}{{ recsql.call("counted", [recs, truth], kwargs) }}{% endmacro %}
{% macro hits(recs, truth) %}{{ recsql.call("hits", [recs, truth], kwargs) }}{% endmacro %}
{% macro ideal(truth) %}{{ recsql.call("ideal", [truth], kwargs) }}{% endmacro %}
{% macro rank_by_score(scored) %}{{ recsql.call("rank_by_score", [scored], kwargs) }}{% endmacro %}
{% macro unnest_lists(lists) %}{{ recsql.call("unnest_lists", [lists], kwargs) }}{% endmacro %}
{% macro read_trec_run(file) %}{{ recsql.call("read_trec_run", [file], kwargs) }}{% endmacro %}
{% macro read_trec_qrels(file) %}{{ recsql.call("read_trec_qrels", [file], kwargs) }}{% endmacro %}

{% macro compare(recs, truth) %}{{ recsql.call("compare", [recs, truth], kwargs) }}{% endmacro %}
{% macro rank(recs, truth) %}{{ recsql.call("rank", [recs, truth], kwargs) }}{% endmacro %}
{% macro overlap(recs) %}{{ recsql.call("overlap", [recs], kwargs) }}{% endmacro %}
{% macro verdict(recs, truth) %}{{ recsql.call("verdict", [recs, truth], kwargs) }}{% endmacro %}
{% macro check(recs, truth) %}{{ recsql.call("check", [recs, truth], kwargs) }}{% endmacro %}

{% macro item_metrics(recs) %}{{ recsql.call("item_metrics", [recs], kwargs) }}{% endmacro %}
{% macro list_metrics(recs) %}{{ recsql.call("list_metrics", [recs], kwargs) }}{% endmacro %}
{% macro group_metrics(recs) %}{{ recsql.call("group_metrics", [recs], kwargs) }}{% endmacro %}
{% macro rating_metrics(predictions) %}{{ recsql.call("rating_metrics", [predictions], kwargs) }}{% endmacro %}
{% macro rating_metrics_joined(predictions, ratings) %}{{ recsql.call("rating_metrics_joined", [predictions, ratings], kwargs) }}{% endmacro %}

{% macro popularity(train) %}{{ recsql.call("popularity", [train], kwargs) }}{% endmacro %}
{% macro segments(train, truth) %}{{ recsql.call("segments", [train, truth], kwargs) }}{% endmacro %}
{% macro candidates(truth, items, train) %}{{ recsql.call("candidates", [truth, items, train], kwargs) }}{% endmacro %}

{% macro split_temporal(interactions) %}{{ recsql.call("split_temporal", [interactions], kwargs) }}{% endmacro %}
{% macro split_backtest(interactions) %}{{ recsql.call("split_backtest", [interactions], kwargs) }}{% endmacro %}
{% macro split_last_n(interactions) %}{{ recsql.call("split_last_n", [interactions], kwargs) }}{% endmacro %}
{% macro split_last_fraction(interactions) %}{{ recsql.call("split_last_fraction", [interactions], kwargs) }}{% endmacro %}
{% macro split_leave_one_out(interactions) %}{{ recsql.call("split_leave_one_out", [interactions], kwargs) }}{% endmacro %}
{% macro split_random(interactions) %}{{ recsql.call("split_random", [interactions], kwargs) }}{% endmacro %}
{% macro split_users(interactions) %}{{ recsql.call("split_users", [interactions], kwargs) }}{% endmacro %}
{% macro split_k_fold(interactions) %}{{ recsql.call("split_k_fold", [interactions], kwargs) }}{% endmacro %}

{% macro labels(events) %}{{ recsql.call("labels", [events], kwargs) }}{% endmacro %}
{% macro labels_of_impressions(events, impressions) %}{{ recsql.call("labels_of_impressions", [events, impressions], kwargs) }}{% endmacro %}
