{#
row = "one row per hit, numbered down the list"

[options.truth_window]
about = "how much of an ordered truth there is"
default = "all"

[options.truth_window.values]
all = "all of it"
k = "its first k entries, for the hits and for the ideal list"
rank = "its first i entries for the item at rank i"
#}
select
    f.model,
    f.user_id,
    f.item_id,
    cast(f.rank as bigint) as rank,
{% if rendering.reads("h.truth_rank") %}
    f.truth_rank,
{% endif %}
    f.gain,
    f.copies,
    row_number() over (partition by f.model, f.user_id order by f.rank, f.item_id) as nth
from found as f
{{ condition(truth_window="rank").filter("f.truth_rank <= f.rank") }}
