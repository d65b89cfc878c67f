{#
about = "one entry per hit in the items that are read: its rank, its place in the truth, and its gain"
needs = ["entries", "truth", "items if duplicates == 'count'", "length if duplicates in ['count', 'error']", "k if truth_window == 'k'"]
#}
{% set copies %}
{% if duplicates == "count" %}
flatten(
    list_transform(
        l.entries,
        lambda e: list_transform(
            list_filter(range(e.rank, l.length + 2 - e.back), lambda i: l.items[i] = l.items[e.rank]),
            lambda i: {'rank': cast(i as integer), 'back': e.back, 'place': e.place{{ ", 'gain': e.gain" if gained }}}
        )
    )
)
{% else %}
l.entries
{% endif %}
{% endset %}
{% set is_outside %}
{% if truth_window == "k" %}
h.rank is null or h.place > l.k
{% elif truth_window == "rank" %}
h.rank is null or h.place > h.rank
{% else %}
h.rank is null
{% endif %}
{% endset %}
{% set is_refused = "h.rank + h.back <> l.length + 1" if duplicates == "error" else "false" %}
list_sort(
    list_filter(
        {{ copies | trim | indent(8) }},
        lambda h: case
            when {{ is_outside | trim }} then false
            when {{ is_refused }}
                then {{ refusal("duplicates", item="l.truth[h.place]", user="null", model="''") | indent(16) }}
            else true
        end
    )
)
