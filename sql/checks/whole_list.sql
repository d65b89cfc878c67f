{#
message = "{metric}: {what} needs a cut-off, and the whole list has none; give one such as 10"
place = 2
on = ["asked", "cutoffs"]
when = "named and any(column.needs_cutoff for column in shown_columns)"
#}
select
    {{ sentence(metric="n.name", what="n.what") | indent }} as message
from (
    select
        n.name,
        case n.name
{% for column in shown_columns | selectattr("needs_cutoff") %}
            when '{{ column.metric }}' then '{{ column.needs_cutoff }}'
{% endfor %}
        end as what
    from (select unnest({{ asked_metrics }}) as name) as n
) as n
where
    n.what is not null
    and «metrics» is not null
    and recsql.names(«metrics») <> ['all']
    and list_contains(recsql.cutoffs(«k»), {{ whole }})
limit 1
