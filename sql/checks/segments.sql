{#
message = "by: {slice} has {found} segments, and at most 100 are shown; group its values in a view"
place = 8
on = ["slices"]
#}
select
    {{ sentence(slice=name_of_slice("n.slice"), found="n.segments") | indent }} as message
from (
    select h.slice, count(distinct coalesce(h.segment, '')) as segments
    from headcount as h
    group by h.slice
) as n
where n.segments > 100
order by n.slice asc
limit 1
