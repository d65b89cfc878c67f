{#
message = "nobody is in the mean: {truth} has no user with a relevant item who counts (see relevance_threshold, users, no_recs)"
place = 8
#}
{% if not single %}
select
    {{ sentence() }} as message
from (select count(*) as users from population as u) as n
where n.users = 0
{% endif %}
