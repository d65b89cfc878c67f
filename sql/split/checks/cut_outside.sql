{#
message = "{interactions}: there is no interaction {side} {cut}; the {end} is of {time}"
place = 4
on = ["cuts"]
when = "timed"
#}
{% set late = "a.last < " ~ start_of_truth() %}
select
    {{ sentence(
        side="case when " ~ late ~ " then 'on or after' else 'before' end",
        cut="case when " ~ late ~ " then " ~ sql.text(start_of_truth()) ~ " else " ~ sql.text("c.cut") ~ " end",
        end="case when " ~ late ~ " then 'last' else 'first' end",
        time="case when " ~ late ~ " then " ~ sql.text("a.last") ~ " else " ~ sql.text("a.first") ~ " end",
    ) | indent }} as message
from cuts as c
cross join (
    select min({{ names.order_by }}) as first, max({{ names.order_by }}) as last
    from {{ split_input() }} as t
) as a
where {{ late }} or a.first >= c.cut
order by c.cut asc
limit 1
