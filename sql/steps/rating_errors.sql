{#
row = "one row per model, and per user if mean = users: the statistics of the pairs"
grain = "rating"
sums = { over = "pairs", alias = "s", reader = "rating_metrics" }

[options.mean]
about = "what is averaged"
topic = "ratings"
default = "micro"

[options.mean.values]
micro = "all pairs, each with the same weight"
users = "the values of the users, each with the same weight"
#}
{% set by_user = condition(mean="users") %}
{% set rater = by_user.then("p.user_id") %}
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
{% if rendering.reads("c.rating") or rendering.reads("c.error") %}
left join centres as c
    on
        c.model is not distinct from p.model
{% if by_user.possible %}
        and c.rater is not distinct from {{ rater }}
{% endif %}
        and p.prediction is not null
{% endif %}
group by p.model{{ ", " ~ rater if by_user.possible }}
