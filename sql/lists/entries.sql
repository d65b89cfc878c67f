{#
about = "one entry per relevant item: its ranks from the start and the end of the list, or NULL, its place in the truth, and its gain"
needs = ["truth", "items", "reversed", "gains if gained"]
#}
list_filter(
    list_transform(
        l.truth,
        lambda x, j: case
            when x is not null and list_position(l.truth, x) = j
                then {'rank': list_position(l.items, x), 'back': list_position(l.reversed, x), 'place': j{{ ", 'gain': l.gains[j]" if gained }}}
        end
    ),
    lambda e: e is not null
)
