{#
about = "many users have the same list up to k"
matters = "for them the model is not personal, as if it fell back to a list for everybody"
advice = "check that these users are known to the model, and that no default list stands in for them"
severity = {warning = "f.found > 0.2 * f.total and f.popular = 0", note = "f.found > 0.2 * f.total"}
said = "warning if more than 20 % of the lists are the same; note if train is given and these have its most popular items"
unit = "lists"
table = "recs"
column = "item_id"
unless = "there are fewer than 20 lists"
#}
{# In the list that most users have, each item may be at least as popular in train as the k-th most popular one. #}
{% set with_train = "train" in tables %}
{% set by = "partition by g.model " if modelled else "" %}
select
    {{ model_of("g") }},
    g.found,
    g.total,
    {{ sql.text("g.user_id") }} as example,
{% if with_train %}
    case when min(coalesce(i.train_rows, 0)) >= (select min(p.events) from popular_items as p where p.place <= {{ depth }}) then 1 else 0 end as popular
{% else %}
    0 as popular
{% endif %}
from (
    select
        g.*,
        sum(g.found) over ({{ by }}) as total,
        row_number() over ({{ by }}order by g.found desc, g.user_id asc) as place
    from (
        select {{ model("f") }}count(*) as found, min(f.user_id) as user_id
        from list_facts as f
        where f.top is not null
        group by {{ model("f") }}f.top
    ) as g
) as g
{% if with_train %}
inner join list_items as r on {{ same_model("r", "g") }}r.user_id = g.user_id and r.place <= {{ depth }}
left join item_rows as i on i.id = r.item_id
{% endif %}
where g.place = 1 and g.total >= 20
{% if with_train %}
group by {{ model("g") }}g.found, g.total, g.user_id
{% endif %}
{# rows #}
select {{ model("f") }}f.user_id, f.items
from list_facts as f
inner join (
    select {{ model("f") }}f.top, count(*) as lists
    from list_facts as f
    group by {{ model("f") }}f.top
) as g on {{ same_model("g", "f") }}g.top = f.top
where g.lists > 1
