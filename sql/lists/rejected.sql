{#
about = "the rank of each item that is judged not relevant, NULL if it is not in the list"
needs = ["judged", "truth", "items"]
#}
list_transform(
    list_filter(l.judged, lambda x, j: list_position(l.judged, x) = j and not list_contains(l.truth, x)),
    lambda x: list_position(l.items, x)
)
