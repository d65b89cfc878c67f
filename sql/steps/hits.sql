{#
row = "one row per hit, numbered in list order"
kept = true

[options.truth_window]
about = "which part of an ordered truth counts"
topic = "truth"
default = "all"

[options.truth_window.values]
all = "the whole truth"
k = "the first k entries, for the hits and for the ideal list"
rank = "the first i entries for the item at rank i"
#}
{% set expected = condition(ties="expected") %}
{% set windowed = condition(truth_window="rank") %}
{% set with_truth_rank = rendering.reads("h.truth_rank") %}
{% if not expected.certain %}
select
    f.model,
    f.user_id,
    f.item_id,
    try_cast(f.rank as bigint) as rank,
{% if with_truth_rank %}
    f.truth_rank,
{% endif %}
    f.gain,
    f.copies,
{% if expected.possible %}
    1 as place,
    1e0 as probability,
    0e0 as leads,
{% endif %}
    row_number() over (partition by f.model, f.user_id order by f.rank asc, f.item_id asc) as nth
from {{ "placed" if condition(ties="best worst").possible else "found" }} as f
{{ windowed.filter("f.truth_rank <= f.rank") }}
{% endif %}
{{ "union all" if expected.possible and not expected.certain }}
{% if expected.possible %}
select
    t.model,
    t.user_id,
    t.item_id,
    t.rank,
{% if with_truth_rank %}
    null as truth_rank,
{% endif %}
    t.gain,
    t.copies,
    t.place,
    t.probability,
    t.leads,
    t.nth
from tied_hits as t
{% endif %}
