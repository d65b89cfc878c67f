{#
Statistics over all hits h of the whole list, whatever the cut-off: the rows are those of hits.
#}

-- name: candidate_gains
{#
about = "gains of the hits in the whole list, highest first"
over = "list"
made_with = "gain_of"
needs = ["gains", "whole_list"]
#}
{{ gains_of_hits() }}

-- name: hits_anywhere
{#
about = "relevant items in the whole list"
over = "list"
empty = "0"
needs = ["whole_list"]
#}
{{ summed("1") }}
{# over two lists #}
len(l.hits)

-- name: hits_to_r_anywhere
{#
about = "relevant items in the first R ranks of the whole list"
over = "list"
empty = "0"
needs = ["whole_list", "truth_sizes"]

[joins]
truth_sizes = "inner join users as v on v.user_id = h.user_id"
#}
{{ summed("1", where="h.rank <= v.relevant") }}
{# over two lists #}
len(list_filter(l.hits, lambda r: r <= l.relevant))

-- name: irrelevant_above_anywhere
{#
about = "sum over the hits of the whole list of rank - m: the items above the m-th hit that are not relevant"
over = "list"
empty = "0e0"
needs = ["whole_list"]
#}
{{ summed("h.rank - h.nth") }}
{# over two lists #}
recsql.list_total(list_transform(list_sort(l.hits, 'ASC'), lambda r, n: cast(r - n as double)))

-- name: negatives_below
{#
about = "sum over the hits of the whole list of max(K - b, 0): of its first K items that are not relevant, those that are not among the b above the hit"
over = "list"
empty = "0"
needs = ["whole_list"]
#}
{# The mean of a maximum does not follow from the mean place of a tied hit. #}
{% if not expected %}
cast(sum(greatest({{ pauc_negatives }} - (h.rank - h.nth), 0)) as bigint)
{% endif %}
{# over two lists #}
coalesce(list_sum(list_transform(
    list_sort(l.hits, 'ASC'),
    lambda r, n: greatest({{ pauc_negatives }} - (r - n), 0)
)), 0)

-- name: negatives_below_first
{#
about = "the same over the first K hits of the whole list"
over = "list"
empty = "0"
needs = ["whole_list"]
#}
{% if not expected %}
cast(sum(case when h.nth <= {{ pauc_negatives }} then greatest({{ pauc_negatives }} - (h.rank - h.nth), 0) else 0 end) as bigint)
{% endif %}
{# over two lists #}
coalesce(list_sum(list_transform(
    list_sort(l.hits, 'ASC')[:{{ pauc_negatives }}],
    lambda r, n: greatest({{ pauc_negatives }} - (r - n), 0)
)), 0)

-- name: preceded
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

-- name: reciprocal_rank_anywhere
{#
about = "1 / rank of the first hit in the whole list; NULL without a hit"
over = "list"
needs = ["whole_list"]
#}
{{ summed("h.leads / nullif(h.rank, 0)") if expected else "1e0 / nullif(min(h.rank), 0)" }}
{# over two lists #}
1e0 / list_min(l.hits)
