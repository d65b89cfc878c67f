{#
about = "one sentence that names the models whose lists share no `id` with the truth"
#}
{% set model = "coalesce(' of model ' || a.model, '') || case when a.models > 1 then ' and ' || " ~ sql.text("a.models - 1") ~ " || ' more' else '' end" %}
select
    {{ sentence(model=model, listed="a.listed", judged="a.judged") | indent }} as message
from (
    select
{% if modelled %}
        min(m.model) as model,
{% endif %}
        count(*) as models,
        min(m.listed) as listed,
        (select min(t.{{ id }}) from given_truth as t) as judged
    from (
        select
{% if modelled %}
            r.model,
{% endif %}
            min(r.{{ id }}) as listed
        from given_recs as r
        left join (select distinct t.{{ id }} from given_truth as t) as t on t.{{ id }} = r.{{ id }}
{% if modelled %}
        group by r.model
{% endif %}
        having count(t.{{ id }}) = 0 and count(*) > 0
    ) as m
) as a
where a.models > 0
