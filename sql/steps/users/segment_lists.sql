{#
row = "one row per user with segments: the segment in each slice, or several with commas between them"
#}
select
    g.user_id{% for one in slices %},
    {{ sql.sorted_texts("case when g.slice = " ~ one.place ~ " then g.segment end") }} as slice_{{ one.place }}{% endfor %}

from user_segments as g
group by g.user_id
