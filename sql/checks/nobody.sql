{#
message = "no user in {truth} has a relevant item and counts in the mean; check relevance, relevance_threshold, users and no_recs"
place = 9
#}
{% if not inputs.partial %}
select
    {{ sentence() | replace("users and no_recs", "users, no_recs or sample") if rendering.sample else sentence() }} as message
from (select count(*) as users from population as u) as n
where n.users = 0
{% endif %}
