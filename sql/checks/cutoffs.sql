{#
message = "k: a cut-off is a whole number from 1 to 1000000; found {found}"
most = 1000000
#}
