{#
row = "one row per model and group of users with the same number of relevant items, gains, list length and first cut-off with a hit"
before = "users_at_k"
#}
select {{ model("u") }}min(u.user_id) as user_id, {{ of_user() }}, u.first_k, count(*) as users
from first_hits as u
group by {{ model("u") }}{{ of_user() }}, u.first_k
