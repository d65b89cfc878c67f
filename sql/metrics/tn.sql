{#
title = "true negatives"
group = "confusion"
formula = "catalog_size - tp - fp - fn"
reference = "confusion counts of the top k as a set"
care = "almost the whole catalogue is a true negative at any k, so the value is close to catalog_size for every model"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "95.0", options = { catalog_size = 100 } }
aliases = ["true_negatives"]
bounds = [0]
needs = ["cutoff if fp_count == 'k'"]

[[requires]]
one_of = ["catalog_size", "items", "candidates"]
#}
{% set beside = ("s.k" if fp_count == "k" else "s.returned") ~ " + s.relevant - s.distinct_hits" %}
{% set sentence = "catalog_size: {size} is too small; user {user} alone has {found} items in list and truth" %}
{# The error is in the last branch: DataFusion evaluates the first branch even if no row takes it. #}
case
    when s.candidates >= {{ beside }}
        then s.candidates - {{ double(beside) }}
    when s.candidates < {{ beside }}
        then {{ refusal(sentence, size="cast(s.candidates as bigint)", found="cast(" ~ beside ~ " as bigint)", user="s.user_id") | indent(8) }}
end
