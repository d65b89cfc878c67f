{#
about = "sum of precision at each rank 1..k; a hit at rank r adds 1/r + ... + 1/k"
over = "hits"
empty = "0e0"

[joins]
upto = "left join harmonics as upto on upto.rank = h.k"
before = "left join harmonics as before on before.rank = h.rank - 1"
#}
{% set precisions = "upto.harmonic - before.harmonic" %}
{{ sql.exact_sum(choose("ties", expected="(" ~ precisions ~ ") * h.probability", otherwise=precisions)) }}
