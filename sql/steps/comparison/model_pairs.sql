{#
row = "one row per pair of models that is compared; without any, a row for the checks to refuse"
grain = "pair"

[options.baseline]
about = "the model that all others are compared with; without it, every pair of models is compared"
topic = "comparison"
type = "model"
#}
select
    row_number() over (order by {{ turn("a.model") }} asc nulls first, {{ turn("b.model") }} asc nulls first) as pair,
    a.model,
    b.model as baseline
from models as a
cross join (select count(*) as models from models) as n
{% if named %}
left join models as b
    on case when {{ baseline }} is null then b.model > a.model or (a.model is null and b.model is not null) else b.model = {{ baseline }} end
where n.models = 1 or case when {{ baseline }} is null then b.model is not null else b.model is distinct from a.model end
{% elif baseline is none %}
left join models as b on b.model is not null and coalesce({{ turn("b.model") }} > {{ turn("a.model") }}, true)
where b.model is not null or n.models = 1
{% else %}
left join models as b on b.model = {{ literal(baseline) }}
where b.model is distinct from a.model or n.models = 1
{% endif %}
