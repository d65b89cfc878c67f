{#
about = "one row per column of text ids and form, `form` over i.id, of an id of the truth that no list has: the ids of the lists and of the truth that have this form; with `at_least`, per form of an id with n.length characters or more. That is the length of the longest ids of one side, and none counts if it is below `at_least`"
#}
{% for column in ["user_id", "item_id"] if text_ids is not defined or column in text_ids %}
{% set all_ids = column | replace("_id", "_ids") %}
{% set ids = "(select " ~ sql.text("i.id") ~ " as id, i.in_recs, i.in_truth from " ~ all_ids ~ " as i where typeof(i.id) = 'VARCHAR')" if named else all_ids %}
select
    '{{ column }}' as column_name,
    {{ form }} as form,
    cast(sum(i.in_recs) as bigint) as listed,
    cast(sum(i.in_truth) as bigint) as judged,
    cast(sum(i.in_truth * (1 - i.in_recs)) as bigint) as unmatched,
    cast(sum(i.in_truth * i.in_recs) as bigint) as matched,
    max(n.judged) as all_judged,
    min(case when i.in_recs = 1 then i.id end) as listed_id,
    min(case when i.in_truth = 1 and i.in_recs = 0 then i.id end) as judged_id
from {{ ids }} as i
{% if at_least is defined %}
cross join (
    select
        sum(i.in_truth) as judged,
        least(max(case when i.in_recs = 1 then length(i.id) end), max(case when i.in_truth = 1 then length(i.id) end)) as length,
        greatest(max(case when i.in_recs = 1 then length(i.id) end), max(case when i.in_truth = 1 then length(i.id) end)) as longest
    from {{ ids }} as i
) as n
where (i.in_recs = 1 or i.in_truth = 1) and n.longest > n.length and n.length >= {{ at_least }} and length(i.id) >= n.length
{% else %}
cross join (select sum(i.in_truth) as judged from {{ ids }} as i) as n
where (i.in_recs = 1 or i.in_truth = 1) and {{ form }} in (select {{ form }} as form from {{ ids }} as i where i.in_truth = 1 and i.in_recs = 0)
{% endif %}
group by {{ form }}
{% if not loop.last %}
union all
{% endif %}
{% endfor %}
