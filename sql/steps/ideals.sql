{#
row = "one row per profile: the gains that its users' ideal lists are made of, best first"
#}
{# min(e.user_id) keeps DuckDB 2.0 from collecting the gains of everybody before it joins. #}
select
    e.profile,
    e.relevant,
    min(e.user_id) as user_id,
    {{ sql.sorted_down("t.gain") }} as gains{{ "," if rendering.reads("i.best_gain") }}
{% if rendering.reads("i.best_gain") %}
    max(t.gain) as best_gain
{% endif %}
from relevant as t
inner join examples as e on e.user_id = t.user_id
group by e.profile, e.relevant
