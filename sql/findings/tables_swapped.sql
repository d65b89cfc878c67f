{#
about = "recs look like judgements, and the truth like lists"
matters = "the truth is then ranked, and the lists are taken as relevant"
advice = "give the recommendations first, then the truth"
severity = "warning"
unit = "rows"
table = "recs"
when = "look_swapped"
#}
select {{ sql.text("null") }} as model, count(*) as found, count(*) as total, {{ sql.text("null") }} as example
from given_recs as r{% if swapped == "score" %}

where {{ scores_are_grades() }}{% endif %}

{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.score
from given_recs as r
