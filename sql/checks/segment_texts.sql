{#
message = "by: {column} of user {user} is {found}, which would be unclear when it is crossed; rename the value in a view"
place = 5
on = ["user_segments"]
when = "segmented and crossed_columns"
#}
select min(f.message) as message
from (
    select {{ sql.text("null") }} as message
    where false{% for one in crossed_columns %}

    union all
    select
        {{ sentence(column=literal(one.column), user="v.user_id", found="v." ~ one.ours) | indent(8) }} as message
    from segment_values as v
    where {{ sql.text("v." ~ one.ours) }} like '% / %' or {{ sql.text("v." ~ one.ours) }} = '(none)'{% endfor %}

) as f
having count(*) > 0
