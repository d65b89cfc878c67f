{#
about = "the ranks of a list have gaps, or do not begin at 1"
matters = "the items keep their ranks, so a gap counts as items that are not relevant"
advice = "if the lists were filtered after ranking, number them again with row_number()"
severity = {warning = 0.01, note = 0}
unit = "lists"
table = "recs"
column = "rank"
needs = ["recs.rank"]
when = "by_rank"
#}
select
    {{ model_of("f") }},
    count(case when f.last_place > f.items then 1 end) as found,
    count(*) as total,
    min(case when f.last_place > f.items then f.user_id end) as example
from list_facts as f
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items, f.last_place
from list_facts as f
where f.last_place > f.items
