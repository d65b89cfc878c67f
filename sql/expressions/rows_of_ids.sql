{#
about = "one row per `id` (user_id or item_id), NULL among them: the number of its rows in each table, and of those that are relevant"
#}
{% set with_train = "train" in tables and (id == "item_id" or "user_id" in tables.train.columns) %}
{% set roles = ["recs", "truth"] + (["train"] if with_train else []) + (["items"] if id == "item_id" and "items" in tables else []) %}
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
