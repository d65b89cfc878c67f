{#
row = "one row per model: the number of users in the mean"
#}
{% set lists_read = is_read("census", "lists") %}
{% set lists = "coalesce(" ~ ("n.lists" if parts else "v.in_mean") ~ ", 0) as lists" %}
{% if sliced %}
select {{ model("m") }}s.slice, s.segment, coalesce(n.users, 0) as users{{ ", " ~ lists if lists_read }}
from models as m
cross join segments_in_mean as s
left join headcount as n on {{ same_model("n", "m") }}n.slice = s.slice and n.segment is not distinct from s.segment
{% if served_read and lists_read %}
left join served as v on {{ same_model("v", "m") }}v.slice = s.slice and v.segment is not distinct from s.segment
{% endif %}
{% else %}
select {{ model("m") }}coalesce(n.users, 0) as users{{ ", " ~ lists if lists_read and target != "paired" }}
from models as m
left join headcount as n on {{ on_model("n", "m") }}
{% if served_read and lists_read %}
left join served as v on {{ on_model("v", "m") }}
{% endif %}
{% endif %}
