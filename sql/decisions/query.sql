{# The kind of query. `reported` has the counts of the report; parts are sums that were counted before. #}
{% set parts = "parts" in tables %}
{% set finding = target in ["findings", "finding_rows"] %}
{% set checked = not plain and not finding and target not in ["warnings", "origin", "compare", "judged_share", "judged_apart", "read_apart", "unfit", "weights", "rejected_rows", "grade", "plan", "rank", "value_sums"] %}
{% set of_pairs = target in ["paired", "differences"] %}
{% set judging = target in ["judge", "judgement", "completions", "completed_recs", "completed_truth"] %}
{% set of_users = user_metrics and (target in ["evaluate", "per_user", "partial"] or of_pairs or judging) and not parts %}
{% set of_items = (item_metrics or group_metrics) and target in ["evaluate", "paired", "partial_items"] and not parts %}

{# Tests of ranks and of flipped signs need the sizes of the differences. #}
{% set by_flips = target == "paired" and test == "randomisation" %}
{% set by_signs = by_flips or (target == "paired" and test == "wilcoxon") %}

{# The counts of the report. #}
{% set pairs_reported = (target in ["paired", "compare"] or (target == "rank" and shown_columns)) and not named %}
{% set reported = (
    (counted and target == "evaluate")
    or target in ["partial", "partial_items", "counted"]
    or (target == "paired" and pairs_reported)
) and not parts %}
{% set pair_counts = [
    "users_with_truth", "all_lists", "lists_without_truth", "longest_list",
    "base_users_with_truth", "base_all_lists", "base_lists_without_truth", "base_longest_list",
    "shared_lists",
] if pairs_reported else [] %}
{# Lists with equal scores on both sides of a cut-off: only where the report counts them and the id breaks ties. #}
{% set cuts = columns | sum(attribute="ks", start=()) | unique | reject("ge", 101) | sort if counted else [] %}
{% set ties_counted = (
    counted
    and target == "evaluate"
    and rank_by != "rank"
    and ties in ["item_asc", "item_desc"]
    and "recs" in tables
    and not (parts or partial)
    and cuts != []
) %}
{% set truth_counted = counted and target == "evaluate" and graded and "truth" in tables and not parts %}
