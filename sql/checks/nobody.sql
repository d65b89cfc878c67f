{#
message = "nobody to average over: no user of {truth} has a relevant item and is in the mean; check relevance, relevance_threshold and the options users, no_recs and no_truth"
place = 8
#}
{% if not single %}
select {{ sentence() }} as message
from (select count(*) as users from population as u) as n
where n.users = 0
{% endif %}
