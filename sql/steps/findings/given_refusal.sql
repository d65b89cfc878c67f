{#
row = "one row with the sentence with which evaluate refuses the tables"
inline = true
#}
{{ tables.refusal.select }}
