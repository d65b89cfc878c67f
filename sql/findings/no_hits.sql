{#
about = "no user has a hit in the top k"
matters = "every value is 0, which real models hardly ever reach"
advice = "look at one user with recsql explain --user-id, and compare the ids of both tables"
severity = {error = "f.total >= 20", warning = "true"}
said = "error; warning below 20 users"
unit = "users"
table = "recs"
column = "item_id"
needs = ["means"]
unless = "candidates are given"
when = "candidates is none"
#}
select {{ model_of("m") }}, m.users as found, m.users as total, {{ sql.text("null") }} as example
from given_means as m
where m.metric = 'hit' and m.value = 0
{# rows #}
select {{ model("m") }}m.metric, m.value, m.users
from given_means as m
where m.metric = 'hit' and m.value = 0
