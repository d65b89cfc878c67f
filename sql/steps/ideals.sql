{#
row = "one row per profile: the gains that its users' ideal lists are made of, best first"
#}
select e.profile, e.relevant, g.gains{{ ", g.best_gain" if rendering.reads("i.best_gain") }}
from examples as e
inner join gains_of_examples as g on g.user_id = e.user_id
