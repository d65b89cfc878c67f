{#
row = "one row per cut-off"
when = "target in ['evaluate', 'per_user', 'partial', 'partial_items', 'hits', 'ideal', 'rank_by_score', 'popularity'] or of_pairs"
#}
{{ cutoffs }}
