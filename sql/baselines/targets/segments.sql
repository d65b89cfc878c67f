{# The segments of each user with relevant items. Equal popularities are in one tercile: that of the first of them. #}
select
    s.user_id,
    case{% for one in activity_bands.ranges %}

        when coalesce(a.events, 0) < {{ one.end }} then '{{ one.segment }}'{% endfor %}

        else '{{ activity_bands.labels[-1] }}'
    end as activity,
    case when s.known = s.items then 'all' when s.known > 0 then 'some' else 'none' end as warm,
    'q' || {{ sql.text("cast(floor(3e0 * s.below / s.users) as bigint) + 1") }} as mainstream
from (
    select
        m.user_id,
        m.items,
        m.known,
        rank() over (order by m.popularity asc) - 1 as below,
        count(*) over () as users
    from tastes as m
) as s
left join user_events as a on a.user_id = s.user_id
where {{ measurable() }}
