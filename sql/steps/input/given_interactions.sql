{#
row = "one row per interaction, with all columns"
grain = "interaction"
inline = true
when = "splits"
#}
{{ tables.interactions.select }}
