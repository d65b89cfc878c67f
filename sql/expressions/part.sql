{#
about = "the part of the split that an interaction t falls into"
grain = "interaction"

[options.order_by]
about = "what orders a user's interactions, the last is held out: a column, or hash for one at random; ties by item"
topic = "holdout"
default = "timestamp"
type = "column"

[options.seed]
about = "the draw of order_by = hash: another seed, another item"
topic = "holdout"
default = 0
type = "integer"

[options.single]
about = "where the only interaction of a user goes"
topic = "holdout"
default = "train"

[options.single.values]
train = "into train: he has no truth"
truth = "into truth: he has no train"
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
