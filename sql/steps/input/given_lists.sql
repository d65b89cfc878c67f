{#
row = "one row per LIST of recs"
inline = true
when = "listed"
#}
{{ lists_query }}
