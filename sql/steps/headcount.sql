{#
row = "one row per model with somebody in the mean: how many they are"
#}
select u.model, count(*) as users
from population as u
group by u.model
