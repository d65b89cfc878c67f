{#
about = "the lists rank a sample of items that has all relevant items of each user"
matters = "values over a sample are much higher than over all items, and can order models otherwise"
advice = "rank all items, or give the sample as candidates= and say so beside the values"
severity = "warning"
unit = "lists"
table = "recs"
level = "full"
when = "candidates is none"
unless = "lists have fewer than 20 items or all items, or fewer than 20 users have relevant items and a list"
#}
select
    {{ model_of("f") }},
    case
        when count(w.user_id) >= 20
            and min(f.items) = max(f.items)
            and min(f.items) >= 20
            and min(f.items) < (select count(distinct r.item_id) from list_items as r inner join watched as w on w.user_id = r.user_id)
            and sum(h.hits) = sum(w.relevant_rows)
            then count(*)
    end as found,
    count(*) as total,
    {{ sql.text("max(f.items)") }} || ' items in each list' as example
from list_facts as f
left join watched as w on w.user_id = f.user_id
left join watched_hits as h on {{ same_model("h", "f") }}h.user_id = f.user_id
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items, h.hits
from list_facts as f
inner join watched_hits as h on {{ same_model("h", "f") }}h.user_id = f.user_id
