{#
message = "k: a cut-off is a whole number from 1 to 1000000, or all; found {found}"
most = 1000000
#}
