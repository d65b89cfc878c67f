{#
about = "whether a user `s` of at_k with relevant items is in the mean; some options require a positive IDCG"
of_all = true
needs = ["idcg if zero_ideal == 'skip'", "relevant if zero_ideal == 'skip'"]

[options.zero_ideal]
about = "what happens to a user whose ideal list has no gain in the top k"
topic = "discount"
default = "null"
reads = { skip = "idcg" }

[options.zero_ideal.values]
null = "ndcg is NULL and left out of the mean (the column users counts the others)"
skip = "the user is left out of the mean of every metric at this k"
zero = "ndcg is 0"
one = "ndcg is 1"
#}
{% if zero_ideal == "skip" %}
s.idcg > 0
{% else %}
true
{% endif %}
