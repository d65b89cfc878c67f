{#
message = "k: there are more than 10000 cut-offs; give fewer"
most = 10000
#}
