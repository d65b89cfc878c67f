{#
row = "one row per profile: the gains that its users' ideal lists are made of, best first"
#}
{# Always true, the last line keeps DuckDB 2.0 from collecting everybody's gains before it joins, and from expecting many rows. #}
select
    e.profile,
    e.relevant,
    {{ sql.sorted_down("t.gain") }} as gains
from relevant as t
inner join examples as e on e.user_id = t.user_id
group by e.profile, e.relevant
having min(e.user_id) is not null
