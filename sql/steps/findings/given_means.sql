{#
row = "one row per model and metric: its mean, and the number of users in it"
inline = true
#}
{% if named %}
{# Whether a user has a hit, which is the metric that needs nothing but the hits of the lists. #}
select
    m.model,
    'hit' as metric,
    count(h.user_id) / cast(count(*) as double) as value,
    count(*) as users,
    count(h.user_id) as best
from list_models as m
inner join user_ids as u on u.in_truth = 1{{ " and u.in_recs = 1" if served_alone }}
left join list_hits as h on {{ same_model("h", "m") }}h.user_id = u.id and h.hits_at_k > 0
group by m.model
{% else %}
{{ tables.means.select }}
{% endif %}
