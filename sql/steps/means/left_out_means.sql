{#
row = "one row per model, cut-off and group of users: the means over all other users"
#}
select
    {{ key_columns("n") }}n.k,
    n.part{% for column in user_columns %},
    {{ column.mean(mean_of_totals("n.users"), "n.users") | indent }} as {{ column.name }}{% endfor %}

from (
    select {{ keys("g") }}g.k, g.part, c.users - g.users as users
    from group_totals as g
    inner join census as c on {{ on_keys("c", "g") }}
) as n
inner join (
    select
        {{ key_columns("g") | indent(4) }}g.k,
        g.part{% for column in user_columns %},
        t.{{ column.name }} - coalesce(g.{{ column.name }}, 0e0) as {{ column.name }},
        t.{{ column.name }}_missing - g.{{ column.name }}_missing as {{ column.name }}_missing{% endfor %}

    from group_totals as g
    inner join totals as t on {{ same_keys("t", "g") }}t.k = g.k
) as t on {{ same_keys("t", "n") }}t.k = n.k and t.part = n.part
