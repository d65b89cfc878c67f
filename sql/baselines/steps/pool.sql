{#
row = "one row per item that can be drawn, with its weight"
grain = "draw"

[options.n]
about = "how many items are drawn for each user, beside those of the truth"
topic = "duplicates"
default = 100
type = "integer"
at_least = 1

[options.draw]
about = "which items are likely to be drawn"
topic = "duplicates"
default = "uniform"

[options.draw.values]
uniform = "each item alike"
popularity = "an item by its number of rows in train"
#}
select i.item_id, {{ "p.events" if draw == "popularity" else "1" }} as weight
from (
    select distinct i.item_id
    from given_items as i
    where i.item_id is not null{{ guard("id_types", left="truth", right="items", columns=["item_id"]) | indent(8) }}
) as i{% if draw == "popularity" %}

inner join popular as p on p.item_id = i.item_id{% endif %}

