{#
What follows from the options, the needs and the tables of a query. Each decision is a name that every template can use.
#}
{# What the query is about. `reported` has the counts of the report; parts are sums that were counted before. #}
{% set parts = "parts" in tables %}
{% set of_pairs = target in ["paired", "differences", "partial_pairs", "partial_differences"] %}
{% set pairs_summed = target in ["paired", "partial_pairs"] %}
{% set by_flips = target == "paired" and test == "randomisation" %}
{% set by_signs = by_flips or (target == "paired" and test == "wilcoxon") %}
{% set sizes_read = by_signs or target == "partial_differences" %}
{% set of_users = user_metrics and (target in ["evaluate", "per_user", "partial", "partial_groups"] or of_pairs) and not parts %}
{% set valued = target in ["evaluate", "paired"] %}
{% set of_lists = item_metrics and (valued or target == "partial_lists") %}
{% set of_items = item_metrics and (valued or target in ["partial_items", "partial_lists"]) and not parts %}
{% set pairs_reported = target in ["paired", "partial_pairs", "compare"] and not named %}
{% set reported = ((counted and target == "evaluate") or target in ["partial", "partial_items"] or (pairs_summed and pairs_reported)) and not parts %}
{% set pair_counts = ["users_with_truth", "all_lists", "lists_without_truth", "longest_list", "base_users_with_truth", "base_all_lists", "base_lists_without_truth", "base_longest_list", "shared_lists"] if pairs_reported else [] %}
{% set truth_counted = counted and target == "evaluate" and graded and "truth" in tables and not parts %}
{% set checked = not plain and target not in ["warnings", "origin", "compare", "judged_share"] %}

{# Slices: in a result of means, each group of users has rows of its own. #}
{% set pairs_sliced = by is not none and target in ["paired", "compare", "partial_pairs", "partial_differences"] %}
{% set sliced = by is not none and (target in ["evaluate", "partial", "partial_items", "partial_lists", "partial_groups"] or (target == "paired" and item_metrics)) %}
{% set segmented = by is not none and (target in ["evaluate", "partial", "partial_items", "partial_lists", "partial_groups", "per_user"] or (of_pairs and (user_metrics or item_metrics))) and not parts %}
{% set by_column = segmented and with_columns %}
{% set by_table = segmented and ((segments is not none) if named else segment_sources | selectattr("role", "eq", "segments") | list | length > 0) %}
{% set by_truth = by_column and "truth" in tables and (named or segment_sources | selectattr("role", "eq", "truth") | list | length > 0) %}
{% set by_activity = segmented and with_activity %}
{% set by_quantile = segmented and with_quantiles %}
{% set small = (target == "evaluate" and sliced or target == "compare" and pairs_sliced) and (min_users is string or min_users > 1) %}

{# In a macro, the metrics of users are rows from their values on, so that it computes those that its call names. #}
{% set in_rows = named and of_users and (target == "evaluate" or of_pairs) %}

{# The intervals: each is of a mean, or needs the value without each of some groups of users. #}
{% set spread = interval is not none and target in ["evaluate", "rating_metrics"] %}
{% set item_groups = item_metrics and (spread or jackknifed) %}
{% set user_groups = (spread and has_interval_by("user", "groups")) or (target == "partial_groups" and by_groups(user_columns) | length > 0) %}
{% set pair_sums = pairs_summed and user_metrics and (not jackknifed or user_columns | selectattr("shown") | list | length > by_groups(user_columns) | length) %}
{% set pair_groups = jackknifed and of_pairs and by_groups(user_columns) | length > 0 %}
{% set rating_groups = spread and has_interval_by("rating", "groups") %}
{% set each_user = user_groups or (clustered and (spread or target == "partial")) %}
{% set grouping = item_groups or user_groups or pair_groups or rating_groups %}
{% set pair_errors = target == "paired" and grouping %}

{# The lists. If the columns of recs are unknown, they may be ordered by rank or by score. #}
{% set by_rank = rank_by != "score" %}
{% set by_score = rank_by != "rank" %}
{% set any_order = by_rank and by_score %}
{% set unordered = ties in ["expected", "best", "worst"] %}
{% set better = ">" if order == "desc" else "<" %}
{% set bounds = ties in ["best", "worst"] %}
{% set expected = ties == "expected" %}
{% set listed = fast and lists_query != "" and "truth" in tables and not by_score and not unordered and judged_only == "false" and seen == "keep" and candidates is none and duplicates in ["error", "hole", "count"] and not sampled and not needs.preferences %}
{% set closed = duplicates in ["first", "last"] %}
{% set folded = duplicates in ["first", "last", "set"] %}
{% set judged_alone = judged_only == "true" and "truth" in tables and (of_users or of_items or reported or target in ["hits", "judged_share"]) %}
{% set listing = "owners" if parts else "given_lists" if listed else "given_recs" %}
{% set with_seen = train is not none and "recs" in tables %}
{% set unseen_alone = seen == "drop" and with_seen and (of_users or of_items or reported or target in ["hits", "judged_share", "rank_by_score"]) %}
{% set candidates_alone = candidates is not none and "recs" in tables and (of_users or of_items or reported or target in ["hits", "judged_share", "rank_by_score"]) %}
{% set closed_up = judged_alone or unseen_alone or candidates_alone %}
{% set narrowed_recs = "candidate_recs" if candidates_alone else "unseen_recs" if unseen_alone else "given_recs" %}
{% set recs = "judged_recs" if judged_alone else narrowed_recs %}

{# The users of the mean. #}
{% set fixed = users == "table" %}
{% set plain_population = users == "truth" and no_recs == "zero" and no_truth in ["skip", "error"] %}
{% set truthless = no_truth in ["zero", "zero_below_threshold", "one", "one_if_both_empty"] or users == "union" %}
{% set owners_count = no_truth in ["zero", "one", "one_if_both_empty"] or users == "union" %}
{% set served_alone = no_recs == "skip" or users == "intersection" %}
{% set served_read = reported or (target == "evaluate" and (user_metrics or not sliced) and not parts) %}
{% set served_by_segment = sliced and user_metrics %}
{% set lists_read = served_read or (item_groups and not parts) or (sliced and of_items) or (of_users and (needs.lengths or served_alone or owners_count)) %}
{% set counted_alone = not modelled and not (of_users and (needs.lengths or served_alone or owners_count)) %}
{% set users_read = of_users or (reported and "truth" in tables) %}
{% set lengths_count = needs.returned or needs.listed %}

{# The truth and its gains. If every gain is 1, the ideal list needs no gains. #}
{% set gains_of_one = truth_window != "k" and not needs.ideal_stop and (gain == "binary" or (not graded and gain in ["linear", "exp2"])) %}
{% set ideals = of_users and needs.ideals and not gains_of_one %}
{% set discounts = of_users and needs.discounts and (gains_of_one or ideal == "constant") %}
{% set in_order = truth_window == "k" or ideal == "truth_as_given" %}

{# The hits. If each metric is 0 for a user without a hit, these users are only counted (sparse); else users who are alike share a row (grouped). #}
{% set hits_read = target == "hits" or (of_users and (needs.hits_at_k or needs.hits_of_list or needs.splits_at_k)) %}
{% set sparse = fast and averaged and not each_user and zero_without_hits() and users == "truth" and no_truth in ["skip", "zero", "zero_below_threshold", "error"] and zero_ideal in ["null", "zero", "one"] and (not of_pairs or (plain_population and all_scored() and not sizes_read and not clustered and not pairs_sliced and not parts)) %}
{% set grouped = fast and averaged and not partial and not sparse and not each_user and not sliced and not of_pairs %}
{% set each_apart = needs.whole_list or unordered %}
{% set recommended_read = (hits_read and not listed) or of_items or target == "hits" %}
{% set ranked_read = recommended_read or (of_users and needs.ranks) %}
{% set rows_read = ranked_read or lists_read or target in ["rank_by_score", "judged_share", "warnings"] %}
{% set seen_read = with_seen and ((seen == "drop" and rows_read and (unseen_alone or target == "warnings")) or (seen == "error" and checked)) %}
{% set candidates_read = candidates is not none and "recs" in tables and rows_read and (candidates_alone or target == "warnings") %}

{# By score, only items that may be relevant need a rank, and a few of them are ranked by counting the items that are no worse. #}
{% set ranks_of_hits = fast and rank_by == "score" and recommended_read and not of_items and not needs.ranks and not needs.preferences and not closed_up and (target in ["evaluate", "per_user", "partial", "partial_groups"] or of_pairs) and duplicates != "last" and ties != "error" and not (unordered and duplicates in ["hole", "count", "set"]) %}
{% set ranks_counted = ranks_of_hits and ties in ["item_asc", "item_desc"] and duplicates in ["error", "hole", "count", "set"] %}

{# The items of all lists together, the catalogue and train. #}
{% set with_catalog = items is not none or train is not none %}
{% set catalog_read = valued and ((needs.catalog_count and catalog_size is none) or (with_catalog and needs.catalog)) %}
{% set train_read = (valued and needs.train) or (catalog_read and (items is none or named)) %}
{% set items_counted = item_metrics and (target == "partial_items" or (valued and (needs.items_at_k or needs.exposures_at_k))) %}
{% set train_counted = of_lists and needs.popularities_at_k %}
{% set train_users_counted = (needs.novelties and novelty_base == "users") or (needs.popularities and popularity_base == "users") %}

{# Ratings. #}
{% set by_user = mean == "users" %}
{% set ratings_apart = ratings is not none %}

{# Labels. If the columns of the tables are unknown, each may be there; `numbered` are requests without an id of their own. #}
{% set labelling = target in ["labels", "shown_lists", "labels_alone", "label_counts"] %}
{% set with_impressions = impressions is not none %}
{% set by_request = with_impressions and unit == "request" %}
{% set typed = named or "type" in names %}
{% set requested = named or "request_id" in names %}
{% set numbered = named or "request_id" not in names %}
{% set surfaced = named or "surface" in names %}

{# The split of interactions: what it reads, its last step, and whether the part of a row follows from its time alone. #}
{% set splits = target == "split" %}
{% set timed = protocol == "temporal" or protocol == "backtest" %}
{% set in_folds = protocol == "k_fold" or protocol == "backtest" %}
{% set drawn = order_by == "hash" or protocol in ["random", "k_fold", "users"] %}
{% set placed = (order_by != "hash" and protocol not in ["random", "k_fold"]) or split__target != "all" %}
{% set limited = core is not none or user_min is not none or item_min is not none %}
{% set by_row = split__ties in ["row_first", "row_last"] and protocol in ["leave_one_out", "last_n", "last_fraction", "users"] %}
{% set dropped = cold_users == "drop" or cold_items == "drop" or repeats == "drop" %}
{% set row_by_row = timed and not limited and not dropped and split__target == "all" %}
