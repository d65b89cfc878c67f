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
