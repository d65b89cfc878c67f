{#
row = "one row per model, cut-off and recommended item: how often it is in the top k"
grain = "item"
#}
select
    {{ key_columns("b") }}c.k,
    b.item_id,
{% if needs.exposures %}
    sum(b.exposure) as exposure,
{% endif %}
    cast(sum(b.times) as bigint) as times
from item_bands as b
inner join cutoffs as c on c.k >= b.k
group by {{ keys("b") }}c.k, b.item_id
