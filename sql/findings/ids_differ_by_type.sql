{#
about = "ids have different types in two tables"
matters = "no id of one table is equal to an id of the other"
advice = "cast one of them to the other's type"
severity = "error"
unit = "rows"
needs = ["types"]
#}
{% if named %}
{# The steps have no rows then. #}
select {{ sql.text("null") }} as model, 1 as found, cast(null as bigint) as total, c.message as example
from {{ types_that_differ() | trim }} as c
{% else %}
select
    {{ sql.text("null") }} as model,
    count(*) as found,
    count(*) as total,
    {{ literal("user_id is " ~ types.truth.user_id ~ " in truth, " ~ types.train.user_id ~ " in train") }} as example
from given_train as t
{% endif %}
