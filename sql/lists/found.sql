{#
about = "one entry per hit in the items that are read: its rank, its place in the truth, and its gain"
#}
{% set each = condition(duplicates="count") %}
{% set gain = ", 'gain': e.gain" if rendering.gained %}
{% set copies %}
flatten(
    list_transform(
        l.entries,
        lambda e: list_transform(
            list_filter(range(e.rank, l.length + 2 - e.back), lambda i: l.items[i] = l.items[e.rank]),
            lambda i: {'rank': cast(i as integer), 'back': e.back, 'place': e.place{{ gain }}}
        )
    )
)
{% endset %}
{% set in_window = choose("truth_window", all="true", k="h.place <= l.k", rank="h.place <= h.rank") %}
{% set refused = condition(duplicates="error") %}
list_sort(
    list_filter(
        {{ each.then((copies | trim).splitlines() | lines, "l.entries") | indent(8) }},
        lambda h: case
            when h.rank is null{{ " or not " ~ in_window if in_window != "true" }} then false
{% if refused.possible %}
            when {{ "" if refused.certain else refused.sql ~ " and " }}h.rank + h.back <> l.length + 1
                then {{ refusal("duplicates", item="l.truth[h.place]", user="null", model="''") }}
{% endif %}
            else true
        end
    )
)
