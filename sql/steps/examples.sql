{#
row = "one row per profile: one of the users who have it, for all of them; gains take few values in most truths, and so do profiles"
#}
{# The last line is always true; it makes DuckDB expect fewer rows here, and look these up instead of the whole truth. #}
select u.profile, u.relevant, min(u.user_id) as user_id
from users as u
group by u.profile, u.relevant
having count(*) > 0
