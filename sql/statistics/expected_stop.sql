{#
about = "the mean of 1 / rank at which a reader stops, 0 for one who reads to the end"
over = "hits"
made_with = "gain_of"
empty = "0e0"
needs = ["gains", "readings"]
#}
{{ summed("h.reached * " ~ stop_chance("h.gain") ~ " / nullif(h.rank, 0)") }}
