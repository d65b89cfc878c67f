{#
row = "one row per LIST of recs"
before = "given_truth"
inline = true
when = "listed"
#}
{{ lists_query }}
