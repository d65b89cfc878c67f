{#
row = "one row per pair of models that is compared"
grain = "pair"
when = "target == 'paired'"

[options.baseline]
about = "the model that all others are compared with; without it, every pair of models is compared"
topic = "comparison"
type = "model"
#}
{% if baseline is none %}
select
    row_number() over (order by a.model asc nulls first, b.model asc nulls first) as pair,
    a.model,
    b.model as baseline
from models as a
inner join models as b on a.model < b.model or (a.model is null and b.model is not null)
{% else %}
select
    row_number() over (order by m.model asc nulls first) as pair,
    m.model,
    b.model as baseline
from models as m
inner join models as b on b.model = {{ literal_of(baseline) }}
where m.model is distinct from b.model
{% endif %}
