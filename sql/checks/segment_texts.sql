{#
message = "by: {column} of user {user} is {found}, which would be unclear when it is crossed; rename the value in a view"
place = 5
on = ["user_segments"]
when = "segments_crossed | length > 0"
#}
select min(f.message) as message
from (
{% for key in segments_crossed %}
    select
        {{ sentence(column=literal(key.column), user="v.user_id", found="v." ~ key.ours) | indent(8) }} as message
    from segment_values as v
    where {{ sql.text("v." ~ key.ours) }} like '% / %' or {{ sql.text("v." ~ key.ours) }} = '(none)'
{% if not loop.last %}
    union all
{% endif %}
{% endfor %}
) as f
having count(*) > 0
