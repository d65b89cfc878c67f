{#
about = "many users have the same list up to k"
matters = "for them the model is not personal, as if it fell back to a list for everybody"
advice = "check that these users are known to the model, and that no default list stands in for them"
severity = {warning = 0.2}
unit = "lists"
table = "recs"
column = "item_id"
unless = "there are fewer than 20 lists"
#}
select {{ model_of("g") }}, g.found, g.total, g.example
from (
    select
        {{ model("c") }}c.found,
        c.example,
        sum(c.found) over (partition by {{ "c.model" if modelled else "1" }}) as total,
        row_number() over (partition by {{ "c.model" if modelled else "1" }} order by c.found desc, c.example asc) as place
    from (
        select {{ model("f") }}count(*) as found, min(f.user_id) as example
        from list_facts as f
        group by {{ model("f") }}f.top
    ) as c
) as g
where g.place = 1 and g.total >= 20
{# rows #}
select {{ model("f") }}f.user_id, f.items
from list_facts as f
inner join (
    select {{ model("f") }}f.top, count(*) as lists
    from list_facts as f
    group by {{ model("f") }}f.top
) as g on {{ same_model("g", "f") }}g.top = f.top
where g.lists > 1
