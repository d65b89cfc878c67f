{#
about = "whether the mean has a user `s` of at_k with something relevant: the ideal list in force may have to gain something"
of_all = true

[options.zero_ideal]
about = "a user whose ideal list gains nothing down to k"
topic = "ideal"
default = "null"
reads = { skip = "idcg" }

[options.zero_ideal.values]
null = "ndcg is NULL: left out of its mean, and the count of users says so"
skip = "left out of the mean of every metric at k"
zero = "ndcg is 0"
one = "ndcg is 1"
#}
{% set skipped = condition(zero_ideal="skip") %}
{{ "true" if not skipped.possible else "s.idcg > 0" if skipped.certain else "(not (" ~ skipped.sql ~ ") or s.idcg > 0)" }}
