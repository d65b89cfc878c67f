{#
about = "sum over the hits of the whole list of min(b, R), b the number of items above the hit that are judged not relevant"
over = "list"
empty = "0"
needs = ["whole_list", "preferences"]

[joins]
preferences = """
inner join preferences as b on {{ same_model("b", "h") }}b.user_id = h.user_id and b.nth = h.nth
inner join users as r on r.user_id = h.user_id"""
#}
cast(sum(least(b.above, r.relevant)) as bigint)
