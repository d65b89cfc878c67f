{#
message = "entropy_normalize = 'log_catalog': {found} of the items recommended in the top {k} are not in the catalogue; add them to it, or leave them out of the lists"
#}
