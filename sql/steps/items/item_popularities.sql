{#
row = "one row per item in train: its self-information in bits, and its popularity"
grain = "item"
#}
select
    t.item_id{% if needs.novelties %},
    log2({{ double("n." ~ novelty_base) }} / t.{{ novelty_base }}) as novelty{% endif %}{% if needs.popularities %},
    t.{{ popularity_base }} as popularity{% endif %}

from train_counts as t{% if needs.novelties %}

cross join train_totals as n{% endif %}
