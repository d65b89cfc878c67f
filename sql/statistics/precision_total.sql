{#
about = "sum of precision at each rank 1..k; a hit at rank r adds 1/r + ... + 1/k"
over = "hits"
empty = "0e0"
needs = ["harmonics"]

[joins]
harmonics = """
left join harmonics as upto on upto.rank = h.k
left join harmonics as before on before.rank = h.rank - 1"""
#}
{{ summed("upto.harmonic - before.harmonic") }}
{# over two lists #}
recsql.list_total(list_transform({{ hits }}, lambda r: list_sum(list_transform(range(r, l.k + 1), lambda i: 1e0 / i))))
