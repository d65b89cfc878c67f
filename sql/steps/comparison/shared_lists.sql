{#
row = "one row per pair of models with shared users: the number of users with truth who have a list of both"
grain = "pair"
#}
select p.pair, count(*) as lists
from model_pairs as p
inner join lists as a on a.model is not distinct from p.model
inner join lists as b on b.model is not distinct from p.baseline and b.user_id = a.user_id
inner join users as u on u.user_id = a.user_id
{% if fixed %}
inner join given_users as c on c.user_id = a.user_id
{% endif %}
group by p.pair
