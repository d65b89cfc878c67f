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
select
{% if modelled %}
    p.model,
{% endif %}
    {{ "p.user_id" if by_user else "null" }} as rater,
{% for one in statistics("pairs") %}
    {{ text_of(one) }} as {{ one }},
{% endfor %}
    count(distinct case when p.prediction is not null then p.user_id end) as users,
    count(p.prediction) as used,
    count(*) - count(p.prediction) as missing
from {{ measured_pairs }} as p{% if needs.means %}

left join centres as c
    on
        {{ on_model("c", "p") }}
{% if by_user %}
        and c.rater is not distinct from p.user_id
{% endif %}
        and c.predicted = (p.prediction is not null){% endif %}{% if modelled or by_user %}

group by {{ ("p.model" ~ (", p.user_id" if by_user else "")) if modelled else "p.user_id" }}{% endif %}
