{# The relevant items of some users, those with the highest gain first. #}
select {{ sql.text("t.user_id") }} as user_id, {{ sql.text("t.item_id") }} as item_id
from relevant as t
where t.user_id in ({{ of_users }})
order by t.user_id asc, t.gain desc, t.item_id asc
