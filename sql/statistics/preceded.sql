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
{# The places of judged items have no expected value that is known: so bpref has none either. #}
{% if not expected %}
cast(sum(least(b.above, r.relevant)) as bigint)
{% endif %}
{# over two lists #}
list_sum(list_transform(l.hits, lambda r: least(len(list_filter(l.rejected, lambda b: b < r)), l.relevant)))
