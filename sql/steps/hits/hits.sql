{#
row = "one row per hit, numbered in list order"
kept = true
needs = ["truth_rank if truth_window in ['k', 'rank']"]

[options.truth_window]
about = "which part of an ordered truth counts"
topic = "relevance"
default = "all"

[options.truth_window.values]
all = "the whole truth"
k = "the first k entries, for the hits and for the ideal list"
rank = "the first i entries for the item at rank i"
#}
{% if expected %}
select
{% if modelled %}
    t.model,
{% endif %}
    t.user_id,
    {{ read_of("hits", ["t.item_id", "t.rank", "t.gain", "t.copies", "t.place", "t.probability", "t.leads", "t.nth"]) }}
from tied_hits as t
{% else %}
{% set nth = "row_number() over (partition by " ~ model("f") ~ "f.user_id order by f.rank asc, f.item_id asc) as nth" %}
select
{% if modelled %}
    f.model,
{% endif %}
    f.user_id,
    {{ read_of("hits", ["f.item_id", "f.rank" if plain else "try_cast(f.rank as bigint) as rank"] + (["f.truth_rank"] if needs.truth_rank else []) + ["f.gain", "f.copies", nth]) }}
from {{ "placed" if bounds else "found" }} as f{% if truth_window == "rank" %}

where f.truth_rank <= f.rank{% endif %}

{% endif %}
