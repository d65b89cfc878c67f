{#
row = "one row per profile: the gains of the relevant items, highest first"
buys = "TODO"
join = "left join ideals as i on i.profile = u.profile and i.relevant = u.relevant"
#}
{# The last line is always true. It keeps DuckDB 2.0 from collecting the gains of all users before the join, and from expecting many rows. #}
select
    e.profile,
    e.relevant,
    {{ sql.sorted_down("t.gain") }} as gains
from relevant as t
inner join examples as e on e.user_id = t.user_id
group by e.profile, e.relevant
having min(e.user_id) is not null
