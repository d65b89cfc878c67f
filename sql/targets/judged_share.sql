{# The number of items in the lists of users with truth before judged_only removes some, and of the judged ones. #}
select
    {{ model_of("r") }},
    count(*) as items,
    count(j.item_id) as judged
from {{ narrowed_recs }} as r
{% if fixed %}
inner join given_users as g on g.user_id = r.user_id
{% endif %}
left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
where
    r.user_id in (
        select t.user_id
        from judged as t
        where {{ is_relevant() }}
    )
{% if modelled %}
group by r.model
order by {{ turn("r.model") }} asc nulls first
{% endif %}
