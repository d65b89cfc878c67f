{#
about = "ids have different types in two tables"
matters = "no id of one table is equal to an id of the other"
advice = "cast one of them to the other's type"
severity = "error"
unit = "rows"
needs = ["types"]
#}
select
    {{ sql.text("null") }} as model,
    count(*) as found,
    count(*) as total,
    {{ literal("user_id is " ~ types.truth.user_id ~ " in truth, " ~ types.train.user_id ~ " in train") }} as example
from given_train as t
