{#
message = "{recs} looks like judgements, and {truth} like lists: are the tables swapped? recommendations come first"
warning = true
when = "swapped == 'score' or (swapped == 'rank' and truth_window == 'all' and ideal != 'truth_as_given')"
#}
select
    {{ sentence() | indent }} as message
{% if swapped == "score" %}
where {{ scores_are_grades() }}
{% endif %}
