{#
row = "one row per rating with its prediction, which is NULL if it is missing"
grain = "rating"

[options.ratings]
input = true
about = "a table of the ratings, if predictions has no column rating; joined on user and item"
topic = "ratings"
type = "table"
#}
{% if ratings_apart %}
select {{ model("p") }}p.user_id, p.item_id, t.rating, p.prediction
from given_predictions as p
inner join given_ratings as t
    on t.user_id = p.user_id
    and t.item_id = p.item_id{{ guard("id_types", left="predictions", right="ratings", columns=["user_id", "item_id"]) | indent }}
{% else %}
select {{ model("p") }}p.user_id, p.item_id, p.rating, p.prediction
from given_predictions as p
{% endif %}
