{#
message = "by: {column} of user {user} is {found}, which is not a number to cut; correct it, or leave the brackets out"
place = 5
on = ["user_segments"]
when = "segmented and cut_columns"
#}
select min(f.message) as message
from (
    select {{ sql.text("null") }} as message
    where false{% for one in cut_columns %}

    union all
    select
        {{ sentence(column=literal(one.column), user="v.user_id", found="v." ~ one.ours) | indent(8) }} as message
    from segment_values as v
    where v.{{ one.ours }} is not null and coalesce({{ sql.is_nan(number_of(one)) }}, true){% endfor %}

) as f
having count(*) > 0
