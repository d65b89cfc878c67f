{#
row = "one row per row of recs, with what it adds to the fused score of the item"
grain = "fusion"

[options.method]
about = "how the lists of several models become one: rrf by their ranks, comb_sum and comb_mnz by their scores"
topic = "ties"
default = "rrf"

[options.method.values]
rrf = "reciprocal rank fusion: the sum of 1 / (k + rank) over the lists with the item (Cormack, Clarke and Buettcher 2009)"
comb_sum = "the sum of the scores, each scaled to 0..1 within its list; 0 if all scores of a list are equal (Fox and Shaw 1994)"
comb_mnz = "that sum times the number of lists with the item (Fox and Shaw 1994)"

[options.fusion__k]
about = "the constant of rrf: the larger it is, the less the first ranks stand out"
topic = "ties"
default = 60
type = "number"
at_least = 0
at_most = 1000000
where = { method = "rrf" }
#}
{% set score, list = double("r.score"), " over (partition by " ~ model("r") ~ "r.user_id)" %}
{% set low, high = "min(" ~ score ~ ")" ~ list, "max(" ~ score ~ ")" ~ list %}
select
    {{ model("r") }}r.user_id,
    r.item_id,
{% if method == "rrf" %}
    1e0 / {{ double(fusion__k ~ " + r.rank") }} as vote
from ranked as r
{% else %}
    coalesce(
        ({{ score ~ " - " ~ low if order == "desc" else high ~ " - " ~ score }}) / nullif({{ high }} - {{ low }}, 0e0),
        0e0
    ) as vote
from {{ recs }} as r
{% endif %}
