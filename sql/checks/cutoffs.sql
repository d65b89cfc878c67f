{#
message = "k: a cut-off is a whole number from 1 to {most}; found {found}"
#}
