{#
about = "one row per column of text ids and form of an id, `form` over i.id: the ids of the lists and of the truth that have this form; with `at_least`, only of ids with n.length characters or more. That is the length of the longest ids of one side, and none counts if it is below `at_least`"
#}
{% for column in ["user_id", "item_id"] if text_ids is not defined or column in text_ids %}
select
    '{{ column }}' as column_name,
    {{ form }} as form,
    cast(sum(i.in_recs) as bigint) as listed,
    cast(sum(i.in_truth) as bigint) as judged,
    cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
    cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
    min(case when i.in_recs = 1 then i.id end) as listed_id,
    min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
from {{ column | replace("_id", "_ids") }} as i
{% if at_least is defined %}
cross join (
    select least(max(case when i.in_recs = 1 then length(i.id) end), max(case when i.in_truth = 1 then length(i.id) end)) as length
    from {{ column | replace("_id", "_ids") }} as i
) as n
where (i.in_recs = 1 or i.in_truth = 1) and n.length >= {{ at_least }} and length(i.id) >= n.length
{% else %}
where i.in_recs = 1 or i.in_truth = 1
{% endif %}
group by {{ form }}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
