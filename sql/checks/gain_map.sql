{#
message = "gain_map: no gain for the relevance {relevance} of user {user}, item {item}"
#}
