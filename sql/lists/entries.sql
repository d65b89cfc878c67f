{#
about = "one entry per relevant item: its ranks from the start and the end of the list, or NULL, its place in the truth, and its gain"
#}
{% set is_first = "x is not null and list_position(l.truth, x) = j" %}
{% set places = "'rank': list_position(l.items, x), 'back': list_position(l.reversed, x), 'place': j" %}
{% if not rendering.gained %}
list_filter(
    list_transform(l.truth, lambda x, j: case when {{ is_first }} then {{ "{" ~ places ~ "}" }} end),
    lambda e: e is not null
)
{% else %}
{% set highest = "list_max(list_filter(l.relevance, lambda y, i: l.truth[i] = x))" %}
{% set relevance = "case when l.stated_once then l.relevance[j] else " ~ highest ~ " end" %}
{% set relevance = "coalesce(" ~ relevance ~ ", 1e0)" if inputs.graded else "1e0" %}
list_filter(
    list_transform(
        list_transform(l.truth, lambda x, j: case when {{ is_first }} then {{ "{" ~ places ~ ", 'relevance': " ~ relevance ~ "}" }} end),
        lambda e: {'rank': e.rank, 'back': e.back, 'place': e.place, 'gain': case when e.place is not null then {{ gain("e.relevance", "l.truth[e.place]") | indent(8) }} end}
    ),
    lambda e: case
        when e.gain = 0 or (abs(e.gain) >= 1e-6 and abs(e.gain) < 1e9) then true
        when e.place is null then false
        else {{ refusal("gains_out_of_range", item="l.truth[e.place]", gain="e.gain", user="null") | indent(8) }}
    end
)
{% endif %}
