{#
message = "{recs} looks like judgements, and {truth} like lists: are the tables swapped? recommendations come first"
warning = true
when = "look_swapped"
#}
select
    {{ sentence() | indent }} as message
{% if swapped == "score" %}
where {{ scores_are_grades() }}
{% endif %}
