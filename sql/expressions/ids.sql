{#
Ids: how those of two tables are compared, and what differs.
#}

-- name: null_ids
{#
about = "a check of `x`, a table with both ids: the first row with an id that is NULL"
#}
select
    {{ sentence(column="case when " ~ alias ~ ".user_id is null then 'user_id' else 'item_id' end", user=alias ~ ".user_id", item=alias ~ ".item_id") | indent }} as message
from {{ x }} as {{ alias }}
where {{ alias }}.user_id is null or {{ alias }}.item_id is null
order by {{ alias }}.user_id asc, {{ alias }}.item_id asc
limit 1

-- name: rows_of_ids
{#
about = "one row per `id` (user_id, item_id or document), NULL among them: the number of its rows in each table, and of those that are relevant"
#}
{% set with_train = "train" in tables and (id != "user_id" or "user_id" in tables.train.columns) %}
{% set roles = ["recs", "truth"] + (["train"] if with_train else []) + (["items"] if id != "user_id" and "items" in tables else []) %}
select
    i.id,
    cast(sum(i.relevant) as bigint) as relevant_rows{% for role in roles %},
    cast(sum(case when i.role = '{{ role }}' then i.events else 0 end) as bigint) as {{ role }}_rows{% endfor %}

from (
{% for role in roles %}
{% if role == "recs" and id == "user_id" %}
    select t.user_id as id, 'recs' as role, cast(sum(t.items) as bigint) as events, cast(0 as bigint) as relevant
    from list_facts as t
{% else %}
    select
        t.{{ id }} as id,
        '{{ role }}' as role,
        count(*) as events,
        {{ "count(case when " ~ is_relevant() | trim ~ " then 1 end)" if role == "truth" else "cast(0 as bigint)" }} as relevant
    from given_{{ role }} as t
{% endif %}
    group by t.{{ id }}
{% if not loop.last %}
    union all
{% endif %}
{% endfor %}
) as i
group by i.id

-- name: ids_of_rows
{#
about = "one row per id of `rows`, with the tables that have it; `rows` counts the rows of each id"
#}
{% set with_train = "train" in tables and (id != "user_id" or "user_id" in tables.train.columns) %}
select
    i.id,
    case when i.recs_rows > 0 then 1 else 0 end as in_recs,
    case when i.relevant_rows > 0 then 1 else 0 end as in_truth{% if with_train %},
    case when i.train_rows > 0 then 1 else 0 end as in_train{% endif %}{% if id != "user_id" and "items" in tables %},
    case when i.items_rows > 0 then 1 else 0 end as in_items{% endif %}

from {{ rows }} as i
where i.id is not null{% if id == "user_id" and fixed %}

    and i.id in (select g.user_id from given_users as g){% endif %}

-- name: no_common_ids
{#
about = "one row with the ids of the truth if none of them is in the lists, over the step `ids`"
#}
select
    {{ sql.text("null") }} as model,
    case when sum(i.in_recs * i.in_truth) = 0 then sum(i.in_truth) end as found,
    sum(i.in_truth) as total,
    coalesce(min(case when i.in_recs = 1 then {{ sql.text("i.id") }} end), 'no ids')
    || ' in recs, '
    || min(case when i.in_truth = 1 then {{ sql.text("i.id") }} end)
    || ' in truth' as example
from {{ ids }} as i

-- name: models_apart
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

-- name: ids_as
{#
about = "one row per column of text ids and form, `form` over i.id, of an id of the truth that no list has: the ids of the lists and of the truth that have this form; with `at_least`, per form of an id with n.length characters or more. That is the length of the longest ids of one side, and none counts if it is below `at_least`"
#}
{% for column in ["user_id", subject] if text_ids is not defined or column in text_ids %}
{% set all_ids = "user_ids" if column == "user_id" else "item_ids" %}
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

-- name: ids_that_differ
{#
about = "the ids of the truth that a list would have in the form `form`, with those of the lists"
#}
select f.column_name, f.judged_id as truth_id, f.listed_id as recs_id, f.judged as truth_ids, f.listed as recs_ids
from (
    {{ (ids_as(form=form, at_least=at_least) if at_least is defined else ids_as(form=form)) | indent }}
) as f
where f.listed > 0 and f.unmatched > 0{{ " and (f.listed_id = f.form or f.judged_id = f.form)" if bare is defined }}

-- name: without_prefix
{#
about = "the id of a row i without what is before it: up to the last of / : # | _ -, and letters in front of a number"
#}
{% set after = "regexp_replace(i.id, '^.*[/:#|_-]', '')" %}
case when substr(i.id, length(i.id), 1) between '0' and '9' then regexp_replace({{ after }}, '^[A-Za-z]+', '') else {{ after }} end

-- name: ids_differ
{#
about = "per column of text ids: the number of ids of the truth that no list has, of those that a list has in the form `form`, and of these without doubt; with `bare`, only of those that have that form already on one side"
#}
{% set listed = "f.listed > 0" ~ (" and (f.listed_id = f.form or f.judged_id = f.form)" if bare is defined else "") %}
select
    {{ sql.text("null") }} as model,
    f.column_name,
    case f.column_name when 'user_id' then 'users' else '{{ "documents" if of_spans else "items" }}' end as unit,
    cast(sum(case when {{ listed }} then f.unmatched else 0 end) as bigint) as found,
    cast(sum(case when {{ listed }} and f.listed = 1 and f.judged = 1 then f.unmatched else 0 end) as bigint) as clear,
    cast(sum(f.unmatched) as bigint) as total,
    cast(max(f.all_judged) as bigint) as judged,
    cast(sum(f.matched) as bigint) as matched,
    coalesce(
        min(case when {{ listed }} and f.listed = 1 and f.judged = 1 and f.unmatched = 1 then f.listed_id || ' in recs, ' || f.judged_id || ' in truth' end),
        min(case when {{ listed }} and f.unmatched > 0 then f.listed_id || ' in recs, ' || f.judged_id || ' in truth' end)
    ) as example
from (
    {{ (ids_as(form=form, at_least=at_least) if at_least is defined else ids_as(form=form)) | indent }}
) as f
group by f.column_name

-- name: float_ids_of_tables
{#
about = "one row per table, column of floating-point ids and id: the number of its rows, and the bound from which whole numbers are missing"
#}
{% set columns = [("recs", "user_id"), ("recs", "item_id"), ("truth", "user_id"), ("truth", "item_id")] if named else float_ids %}
{% for role, column in columns %}
select
    {{ tables[role].name }} as table_name,
    '{{ column }}' as column_name,
{% if named %}
    try_cast(t.{{ column }} as double) as id,
    case when typeof(t.{{ column }}) = 'FLOAT' then 1.6777216e7 else 9.007199254740992e15 end as bound,
{% else %}
    {{ double("t." ~ column) }} as id,
    {{ "1.6777216e7" if types[role][column] == "FLOAT" else "9.007199254740992e15" }} as bound,
{% endif %}
    count(*) as events
from given_{{ role }} as t
where t.{{ column }} is not null{{ " and typeof(t." ~ column ~ ") in ('FLOAT', 'DOUBLE')" if named }}
group by t.{{ column }}
{{ "union all" if not loop.last }}
{% endfor %}

-- name: types_that_differ
{#
about = "in a macro, the sentence if ids have different types in recs and truth"
#}
recsql.check_id_types(recsql.relation({{ tables.recs.name }}), recsql.relation({{ tables.truth.name }}), {{ tables.recs.name }}, {{ tables.truth.name }})
