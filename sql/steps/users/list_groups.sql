{#
row = "one row per list: the group that its user belongs to; if there are few users with a list of the model, a group for each"
grain = "item"
kept = true
#}
{# The groups of a model don't depend on other models. Two models that are compared need the same groups. #}
{% if of_pairs %}
select {{ model("l") }}l.user_id, g.part
from lists as l
inner join user_groups as g on g.user_id = l.user_id
{% else %}
{% set group = sql.group_of(sql.text("l.user_id"), groups) %}
{% macro counting(lists) %}{% if fixed %}

inner join given_users as u on u.user_id = {{ lists }}.user_id{% endif %}{% endmacro %}
{% macro of_models(part, condition) %}
select {{ model("l") }}l.user_id, {{ part }} as part
from lists as l
inner join (
    select {{ model("c") }}count(*) as users
    from lists as c{{ counting("c") | indent }}{% if modelled %}

    group by c.model{% endif %}

) as n on {{ on_model("n", "l") }}{{ counting("l") }}

where n.users {{ condition }} {{ groups }}
{%- endmacro %}
{{ of_models(group, ">=") }}
union all
{{ of_models("row_number() over (" ~ ("partition by l.model " if modelled else "") ~ "order by " ~ sql.text("l.user_id") ~ " asc)", "<") }}
{% endif %}
