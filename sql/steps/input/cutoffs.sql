{#
row = "one row per cut-off"
when = "target in ['evaluate', 'per_user', 'partial', 'partial_items', 'partial_lists', 'hits', 'ideal', 'rank_by_score', 'popularity'] or of_pairs or user_groups"
#}
{{ cutoffs }}
