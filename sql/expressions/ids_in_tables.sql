{#
about = "one row per `id` (user_id or item_id), and in which tables it is"
#}
{% set roles = ["recs", "truth"] + (["train"] if "train" in tables and (id == "item_id" or "user_id" in tables.train.columns) else []) + (["items"] if id == "item_id" and "items" in tables else []) %}
select
    i.id{% for role in roles %},
    max(case when i.role = '{{ role }}' then 1 else 0 end) as in_{{ role }}{% endfor %}

from (
{% for role in roles %}
    select distinct t.{{ id }} as id, '{{ role }}' as role
    from given_{{ role }} as t{% if role == "truth" %}

    where {{ is_relevant() }}{% endif %}{{ "\n    union all" if not loop.last }}
{% endfor %}
) as i
where i.id is not null
group by i.id
