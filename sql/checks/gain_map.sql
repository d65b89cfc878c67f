{#
message = "gain_map: no gain for relevance {relevance} of user {user}, item {item}; add one"
#}
