{#
about = "no list has k items"
matters = "k is in fact the length of the lists, so the value is not comparable with one of full lists"
advice = "lower k to the length of the longest list, or ask the model for at least k items"
severity = "warning"
unit = "lists"
table = "recs"
counts = "longest_list < k"
unless = "the catalogue has fewer than k items"
#}
select
    {{ model_of("f") }},
    case when max(f.items) < {{ depth }} then count(*) end as found,
    count(*) as total,
    {{ sql.text("max(f.items)") }} || case when max(f.items) = 1 then ' item' else ' items' end || ' in the longest' as example
from list_facts as f
where (select count(*) from item_ids as i) >= {{ depth }}
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items
from list_facts as f
where f.items < {{ depth }}
