{#
about = "the part of the split that an interaction t belongs to"
grain = "interaction"

[options.order_by]
about = "the column that orders a user's interactions, of which the last is held out; hash holds out a random one; ties are ordered by item"
topic = "holdout"
default = "timestamp"
type = "column"

[options.seed]
about = "the seed of the random choice, for order_by = hash and for candidates"
also = "draw"
topic = "holdout"
default = 0
type = "integer"

[options.single]
about = "the part for the interaction of a user who has only one"
topic = "holdout"
default = "train"

[options.single.values]
train = "train: the user has no truth"
truth = "truth: the user has no rows in train"
#}
{% set key = sql.text(names.user_id) ~ " || ':' || " ~ sql.text(names.item_id) ~ " || ':' || " ~ sql.text(seed) %}
{% set order = "md5(" ~ key ~ ")" if drawn else names.order_by %}
case
    when
        row_number() over (
            partition by {{ names.user_id }}
            order by {{ order }} desc, {{ names.item_id }} desc
        ) = 1
        and {{ "count(*) over (partition by " ~ names.user_id ~ ") > 1" if single == "train" else "true" }}
        then 'truth'
    else 'train'
end
