{#
about = "the part of the split that an interaction t belongs to"
grain = "interaction"

[options.order_by]
about = "the column that orders a user's interactions, of which the last is held out; hash holds out a random one; ties are ordered by item"
topic = "holdout"
default = "timestamp"
type = "column"

[options.seed]
about = "the seed of the random choice, for order_by = hash"
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
{% set user, item = inputs.names["user_id"], inputs.names["item_id"] %}
{% set drawn = condition(order_by="hash") %}
{% set key = sql.text(user) ~ " || ':' || " ~ sql.text(item) ~ " || ':' || " ~ sql.text(option("seed")) %}
{% set orders = [drawn.then("md5(" ~ key ~ ")") if drawn.possible, inputs.names["order_by"] if not drawn.certain, item] | select | list %}
case
    when
        row_number() over (
            partition by {{ user }}
            order by {{ orders | join(" desc, ") }} desc
        ) = 1
        and {{ choose("single", train="count(*) over (partition by " ~ user ~ ") > 1", truth="true") }}
        then 'truth'
    else 'train'
end
