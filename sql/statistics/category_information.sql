{#
about = "entropy in bits of the categories in a list, averaged over lists"
over = "categories"
#}
avg(y.entropy)
