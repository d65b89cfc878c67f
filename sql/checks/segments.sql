{#
message = "by: {slice} has {found} segments, and at most 100 are shown; group its values in a view"
place = 8
on = ["slices"]
#}
select
    {{ sentence(slice=name_of_slice("n.slice"), found="n.segments") | indent }} as message
from (
    select g.slice, count(distinct g.segment) as segments
    from (
{% if pairs_sliced and user_metrics %}
        select p.slice, p.segment from segment_pairs as p
{% elif user_metrics %}
        select h.slice, h.segment from headcount as h
{% endif %}
{% if user_metrics and item_metrics %}
        union all
{% endif %}
{% if item_metrics %}
        select l.slice, l.segment from list_counts as l
{% endif %}
    ) as g
    group by g.slice
) as n
where n.segments > 100
order by n.slice asc
limit 1
