{#
row = "one row per profile: one user who represents all users with this profile"
before = "ideals"
#}
{# Gains have few distinct values, so there are few profiles. #}
select u.profile, u.relevant, min(u.user_id) as user_id
from users as u
group by u.profile, u.relevant
