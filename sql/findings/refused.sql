{#
about = "evaluate refuses the tables"
matters = "there are no values until the tables are corrected"
advice = "do what the sentence says"
severity = "error"
unit = "rows"
needs = ["refusal"]
#}
select {{ sql.text("null") }} as model, 1 as found, cast(null as bigint) as total, r.message as example
from given_refusal as r
{# rows #}
select r.message
from given_refusal as r
