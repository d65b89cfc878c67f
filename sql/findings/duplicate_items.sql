{#
about = "an item is several times in the top k of one list"
matters = "each copy takes a rank, and a relevant one would count again"
advice = "list each item once, or say how copies count: with duplicates='first', the best rank alone does"
severity = {error = "f.refused = 1", warning = "true"}
said = "error if the item is relevant and duplicates is error, else warning; items that are not relevant on the level full only"
unit = "lists"
table = "recs"
column = "item_id"
unless = "duplicates is first, last or set"
when = """
duplicates in ['hole', 'count']
or (duplicates == 'error' and (full or 'refusal' in tables or not hits_valued))"""
#}
{# Under duplicates = error, evaluate refuses relevant copies, so that they need not be looked for if it has values. #}
{% for copy, refused in [("relevant", 1 if duplicates == "error" else 0), ("other", 0)] %}
select
    {{ model_of("f") }},
    count(c.{{ copy }}) as found,
    count(*) as total,
    min({{ sql.text("c.user_id") }} || ', ' || {{ sql.text("c." ~ copy) }}) as example,
    {{ refused }} as refused
from list_facts as f
left join list_copies as c on {{ same_model("c", "f") }}c.user_id = f.user_id
{{ group_by_model("f") }}
{{ "union all" if not loop.last }}
{% endfor %}
{# rows #}
select {{ model("r") }}r.user_id, r.item_id, count(*) as copies
from list_items as r
where r.place <= {{ depth }}
group by {{ model("r") }}r.user_id, r.item_id
having count(*) > 1
