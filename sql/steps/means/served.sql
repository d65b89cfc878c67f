{#
kept = true
row = "one row per model with lists that count: the number of lists, and of those of users in the mean; with slices, of each segment"
plain_row = "one row per model with lists that count (and segment, for slices): their number"
#}
{# The lists in the mean are those of the users in members. #}
{% set in_mean_read = of_users and is_read("served", "in_mean") %}
{% set in_truth = truthless and not owners_count %}
select
{% if modelled %}
    l.model,
{% endif %}
{% if served_by_segment %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
    count(*) as lists{% if in_mean_read %},
    {{ "count(*)" if owners_count else "count(t.user_id)" if in_truth else "count(u.user_id)" }} as in_mean{% endif %}{% if reported %},
    count(u.user_id) as with_truth,
    max(l.returned) as longest{% endif %}

from lists as l
{% if fixed %}
inner join given_users as c on c.user_id = l.user_id
{% endif %}
{% if reported or (in_mean_read and not owners_count and not in_truth) %}
left join users as u on u.user_id = l.user_id
{% endif %}
{% if in_mean_read and in_truth %}
left join (select distinct t.user_id from given_truth as t) as t on t.user_id = l.user_id
{% endif %}
{% if served_by_segment %}
{{ with_segments("l") }}
group by {{ model("l") }}s.slice, {{ segment_joined() }}
{% elif modelled %}
group by l.model
{% endif %}
