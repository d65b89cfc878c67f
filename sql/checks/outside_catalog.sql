{#
message = "entropy_normalize='log_catalog': at k = {k}, {found} of the recommended items are not in the catalogue; add them to it, or leave them out of the lists"
#}
