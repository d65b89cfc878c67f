{#
row = "one row per cut-off"
when = "target in ['evaluate', 'per_user', 'partial', 'partial_items', 'paired', 'differences', 'hits', 'ideal', 'rank_by_score']"
#}
{{ cutoffs }}
