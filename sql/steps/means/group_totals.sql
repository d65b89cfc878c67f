{#
row = "one row per model, cut-off and group of users: the sums of the metrics, and the numbers of users without a value"
#}
{% if parts %}
select
    {{ key_columns("a") }}a.k,
    a.part{% for column in user_columns %},
    {{ sql.of_units(added("sum", place=column.order)) }} as {{ column.name }},
    cast({{ added("headcount", place=column.order) }} - {{ added("users", place=column.order) }} as bigint) as {{ column.name }}_missing{% endfor %},
    cast({{ added("headcount", place=by_groups(user_columns)[0].order) }} as bigint) as users
from (
    select m.model, {{ "p.slice, p.segment, " if sliced }}p.user_part as part, p.place, p.k, p.headcount, p.users, p.sum
    from given_parts as p
    {{ of_model("models") | indent }}
        and p.place is not null
        and p.user_part is not null{% if baseline is not none %}

        and p.baseline is null{% endif %}

) as a
group by {{ keys("a") }}a.k, a.part
{% else %}
select
    {{ key_columns("p") }}p.k,
    g.part{% for column in user_columns %},
    {{ exact("p." ~ column.name) }} as {{ column.name }},
    count(*) - count(p.{{ column.name }}) as {{ column.name }}_missing{% endfor %},
    count(*) as users
from {{ "per_segment" if sliced else "per_user" }} as p
inner join user_groups as g on g.user_id = p.user_id
group by {{ keys("p") }}p.k, g.part
{% endif %}
