{#
message = "{candidates}: the relevant item {item} of user {user} is not among their candidates; add the truth, as recsql.candidates does"
place = 5
on = ["given_candidates", "given_truth"]
#}
select
    {{ sentence(item="t.item_id", user="t.user_id") | indent }} as message
from given_truth as t
{% if fixed and of_users %}
inner join given_users as g on g.user_id = t.user_id
{% endif %}
left join given_candidates as c on c.user_id = t.user_id and c.item_id = t.item_id
where c.item_id is null and {{ is_relevant() }}
order by t.user_id asc, t.item_id asc
limit 1
