{#
about = "lists have items that their users have in train"
matters = "most protocols leave these out, since the truth has new items; here they take the places of others"
advice = "leave them out with seen='drop'"
severity = {warning = "f.found > 0.01 * f.total and f.repeated <= 0.01 * f.relevant", note = "f.found > 0.01 * f.total"}
said = "warning above 1 % of the rows in the top k"
unit = "rows"
table = "recs"
needs = ["train.user_id"]
level = "full"
unless = "more than 1 % of the truth is in train as well: then users repeat items, and it is a note"
when = "seen == 'keep'"
#}
select
    {{ model_of("r") }},
    count(s.user_id) as found,
    count(*) as total,
    (select coalesce(sum(p.events), 0) from repeats as p) as repeated,
    (select sum(u.relevant_rows) from user_rows as u) as relevant,
    min('user ' || {{ sql.text("s.user_id") }} || ', item ' || {{ sql.text("s.item_id") }}) as example
from list_items as r
left join seen_pairs as s on s.user_id = r.user_id and s.item_id = r.item_id
where r.place <= {{ depth }}
{{ group_by_model("r") }}
{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.place
from list_items as r
inner join seen_pairs as s on s.user_id = r.user_id and s.item_id = r.item_id
where r.place <= {{ depth }}
