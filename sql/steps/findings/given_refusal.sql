{#
row = "one row with the sentence with which evaluate refuses the tables"
inline = true
when = "finding and 'refusal' in tables"
#}
{{ tables.refusal.select }}
