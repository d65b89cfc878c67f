{#
row = "one row per interaction, with all columns"
grain = "interaction"
inline = true
when = "target == 'leave_one_out'"
#}
{{ tables.interactions.select }}
