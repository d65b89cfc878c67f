{# The users of the mean. #}
{% set plain_population = users == "truth" and no_recs == "zero" and no_truth in ["skip", "error"] %}
{% set fixed = users == "table" %}
{% set served_alone = no_recs == "skip" or users == "intersection" %}
{% set owners_count = no_truth in ["zero", "one", "one_if_both_empty"] or users == "union" %}
{% set truthless = owners_count or no_truth == "zero_below_threshold" %}

{# The users whose lists count in means over lists and metrics of all lists together; empty if every list does. #}
{% set shared_alone = users == "intersection" and "truth" in tables %}
{% set owners_of_lists = "given_users" if fixed else "users" if shared_alone else "" %}

{# Means over lists, and the lengths of lists. #}
{% set lists_alone = user_columns | rejectattr("grain", "eq", "list") | list | length == 0 %}
{% set lists_summed = of_users and sums("at_k") | selectattr("of_each_list", "defined") | list | length > 0 %}
{% set lengths_count = needs.ranks or needs.listed or target in ["overlap", "user_overlaps"] %}

{# The mean of the column {name} from its totals `t`, and the number of users. #}
{% macro mean_of_totals(users) %}coalesce(t.{name}, 0e0) / nullif({{ users }} - coalesce(t.{name}_missing, 0), 0){% endmacro %}
