{# The top k of some users in the lists of each model, and which items are hits. #}
select
    {{ model_of("r") }},
    {{ sql.text("r.user_id") }} as user_id,
    {{ sql.text("r.item_id") }} as item_id,
    h.item_id is not null as is_hit
from recommended as r
left join hits_in_force as h
    on {{ same_model("h", "r") }}h.user_id = r.user_id and h.item_id = r.item_id and h.rank = r.rank
where r.user_id in ({{ of_users }})
order by {{ model("r") }}r.user_id asc, r.rank asc
