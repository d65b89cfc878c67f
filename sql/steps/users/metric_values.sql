{#
row = "one row per model, cut-off, user or group of alike users, and requested metric: its value"
#}
select {{ model("v") }}v.user_id, {{ "v.users, " if grouped }}v.k, a.place, v.value
from (
    select
{% if modelled %}
        p.model,
{% endif %}
        p.user_id,
{% if grouped %}
        p.users,
{% endif %}
        p.k,
        unnest(range(1, {{ user_columns | length + 1 }})) as place,
        unnest([{% for column in user_columns %}{{ ", " if not loop.first }}p.{{ column.name }}{% endfor %}]) as value
    from per_user as p
) as v
inner join (
    {{ asked_rows() | indent }}
) as a on a.place = v.place
