{#
kept = true
row = "one row per user with relevant items: their number, and the profile of their gains; equal gains have equal profiles"
buys = "see relevant; its profiles buy what ideals does"
#}
{# For the form of this filter, see relevant. #}
select f.user_id, {{ "f.profile, " if ideals }}f.stated as relevant
from fingerprints as f
left join repeaters as p on p.user_id = f.user_id
where not coalesce(p.repeats, false)
union all
select t.user_id, {{ sql.profile("t.relevance") ~ " as profile, " if ideals }}count(*) as relevant
from folded as t
group by t.user_id
