{#
message = "{metric} needs {options}"
place = 0
on = ["asked"]
when = "named and needing"
#}
select
    {{ sentence(metric="n.name", options="n.options") | indent }} as message
from (
    select
        n.name,
        case n.name
{% for metric, lacking in needing.items() %}
            when '{{ metric }}' then case when {{ lacking }} then '{{ options_for(metric) }}' end
{% endfor %}
        end as options
    from (select unnest(case when «metrics» is null and len({{ asked_metrics }}) = 0 then {{ every_metric }} else {{ asked_metrics }} end) as name) as n
) as n
where n.options is not null
limit 1
