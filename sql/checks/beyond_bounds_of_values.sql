{#
place = 10
on = ["asked"]
when = "(item_metrics or target == 'rating_metrics') and target in ['evaluate', 'rating_metrics'] and not (named or parts)"
#}
{% set columns = rating_columns if target == "rating_metrics" else item_columns %}
select b.message
from (
    select
        {{ beyond_bounds(columns=columns, least="s.value", most="s.value", place="s.place") | indent(8) }} as message
    from {{ "rating_summary" if target == "rating_metrics" else "summary" }} as s
) as b
where b.message is not null
order by b.message asc
limit 1
