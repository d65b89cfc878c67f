{#
message = "by: {column} of user {user} is {found}, which is not a number to cut; correct it, or leave the brackets out"
place = 5
on = ["user_segments"]
when = "segment_cuts | length > 0"
#}
select min(f.message) as message
from (
{% for key in segment_cuts %}
    select
        {{ sentence(column=literal(key.column), user="v.user_id", found="v." ~ key.ours) | indent(8) }} as message
    from segment_values as v
    where v.{{ key.ours }} is not null and coalesce({{ sql.is_nan(number_of(key)) }}, true)
{% if not loop.last %}
    union all
{% endif %}
{% endfor %}
) as f
having count(*) > 0
