{#
about = "the value is the best possible one, or almost"
matters = "real models hardly ever reach it, unless they have seen the truth or k is close to the number of items to choose from"
advice = "check that no list is made from the truth, and that train ends before the truth begins"
severity = {error = "f.value > 1 - 1e-9", warning = "true"}
said = "error at 1, warning from 0.95; both over at least 20 users"
unit = "users"
table = "recs"
column = "item_id"
needs = ["means"]
unless = "candidates are given"
when = "candidates is none"
#}
select {{ model_of("m") }}, coalesce(m.best, 0) as found, m.users as total, m.metric as example, m.value
from given_means as m
where m.value >= 0.95 and m.best is not null and m.users >= 20
{# rows #}
select {{ model("m") }}m.metric, m.value, m.users
from given_means as m
where m.value >= 0.95 and m.best is not null and m.users >= 20
