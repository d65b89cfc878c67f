{#
row = "one row per model, and per user where the mean is over users: the statistics of the pairs"
grain = "rating"
sums = { over = "pairs", alias = "s", reader = "rating_metrics" }

[options.mean]
about = "what is averaged"
default = "micro"

[options.mean.values]
micro = "all pairs alike"
users = "the users' own values"
#}
{% set rater = condition(mean="users").then("p.user_id") %}
select
    p.model,
    {{ rater }} as rater,
{% for name, sum in rendering.sums("pairs").items() %}
    {{ sum }} as {{ name }},
{% endfor %}
    count(distinct case when p.prediction is not null then p.user_id end) as users,
    count(p.prediction) as used,
    count(*) - count(p.prediction) as missing
from pairs as p
group by p.model{{ ", " ~ rater if condition(mean="users").possible }}
