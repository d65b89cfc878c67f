{#
about = "one row per table, column of floating-point ids and id: the number of its rows, and the bound from which whole numbers are missing"
#}
select
    i.table_name,
    i.column_name,
    case when i.bound is not null then {{ double("i.id") }} end as id,
    i.bound,
    i.events
from (
    select
        i.table_name,
        i.column_name,
        i.id,
        i.events,
        case{% for role in ["recs", "truth", "train", "items"] if role in tables %}{% for column in types[role] if column in ["user_id", "item_id"] and types[role][column] in ["FLOAT", "DOUBLE"] %}

            when i.role = '{{ role }}' and i.column_name = '{{ column }}' then {{ "1.6777216e7" if types[role][column] == "FLOAT" else "9.007199254740992e15" }}{% endfor %}{% endfor %}

        end as bound
    from (
        {{ ids_of_tables() | indent(8) }}
    ) as i
) as i
where i.bound is not null and i.id is not null
