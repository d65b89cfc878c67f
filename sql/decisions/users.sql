{# The users of the mean. #}
{% set lists_alone = user_columns | rejectattr("grain", "eq", "list") | list | length == 0 %}
{% set lists_summed = of_users and sums("at_k") | selectattr("of_each_list", "defined") | list | length > 0 %}
{% set fixed = users == "table" %}
{% set plain_population = users == "truth" and no_recs == "zero" and no_truth in ["skip", "error"] %}
{% set truthless = no_truth in ["zero", "zero_below_threshold", "one", "one_if_both_empty"] or users == "union" %}
{% set owners_count = no_truth in ["zero", "one", "one_if_both_empty"] or users == "union" %}
{% set served_alone = no_recs == "skip" or users == "intersection" %}
{% set served_read = reported or (target == "evaluate" and (user_metrics or not sliced) and not parts) %}
{% set served_by_segment = sliced and user_metrics %}
{% set counted_alone = not modelled and not (of_users and (needs.lengths or served_alone or owners_count)) %}
{% set users_read = (of_users or reported) and "truth" in tables %}
{% set lengths_count = needs.ranks or needs.listed %}

{# The mean of the column {name} from its totals `t`, and the number of users. #}
{% macro mean_of_totals(users) %}coalesce(t.{name}, 0e0) / nullif({{ users }} - coalesce(t.{name}_missing, 0), 0){% endmacro %}
