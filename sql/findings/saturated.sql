{#
about = "most users have the best possible value in every model"
matters = "there is nothing left to win, so the models can't be told apart"
advice = "lower k, rank more candidates, or choose a metric that reads ranks, such as ndcg"
severity = "warning"
said = "warning above 90 % of at least 20 users"
unit = "users"
table = "truth"
needs = ["means"]
unless = "the value is 1 (perfect_score)"
#}
select {{ sql.text("null") }} as model, min(m.best) as found, min(m.users) as total, m.metric as example
from given_means as m
group by m.metric
having min(m.users) >= 20 and count(m.best) = count(*) and min({{ double("m.best") }} / m.users) > 0.9{{ " and max(m.value) < 1 - 1e-9" if candidates is none }}
{# rows #}
select {{ model("m") }}m.metric, m.value, m.best as users_with_best, m.users
from given_means as m
where {{ double("m.best") }} / m.users > 0.9
