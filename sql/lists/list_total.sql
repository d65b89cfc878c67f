{#
about = "the sum of doubles in units of 1e-18, so that it doesn't depend on their order"
parameters = "xs"
#}
coalesce(list_sum(list_transform(xs, lambda x: try_cast(1e18 * x as hugeint))) / 1e18, 0e0)
