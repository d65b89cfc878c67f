{#
row = "one row per cut-off"
#}
{{ cutoffs }}
