{#
row = "one row per cut-off"
#}
{{ inputs.cutoffs }}
