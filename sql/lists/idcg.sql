{#
about = "sum of the discounted gains of the ideal list in the top k"
#}
{% set windowed = condition(truth_window="k") %}
{% set entries = windowed.then("list_filter(l.entries, lambda e: e.place <= l.k)", "l.entries") %}
{% set ideal = choose("ideal", candidates="l.found", otherwise=entries) %}
{% set length = choose("ideal", truth_uncut="len(l.entries)", truth_returned="least(l.k, l.returned)", otherwise="l.k") %}
{% set gain = "e.gain * " if rendering.gained %}
{% if rendering.gained %}
{% set best = "(list_sort(list_transform(" ~ ideal ~ ", lambda e: e.gain), 'DESC'))[:" ~ length ~ "]" %}
{% set sum = "list_sum(list_transform(" ~ best ~ ", lambda y, i: y * l.weights[i]))" %}
{% else %}
{% set sum = "list_sum(l.weights[:least(len(" ~ ideal ~ "), " ~ length ~ ")])" %}
{% endif %}
{{ choose("ideal",
    constant="list_sum(l.weights[:l.k])",
    truth_as_given="list_sum(list_transform(list_filter(l.entries, lambda e: e.place <= l.k), lambda e: " ~ gain ~ "l.weights[e.place]))",
    otherwise=sum,
) }}
