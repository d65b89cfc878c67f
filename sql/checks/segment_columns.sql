{#
message = "by: there is no column {column} in {there}; {hint}there are {columns}{way}"
place = 2
on = ["segment_tables"]
#}
{% macro columns_in(role) %}
coalesce((select json_keys(to_json(x)) from {{ tables[role].source }} as x limit 1), [])
{%- endmacro %}
select
    {{ sentence(column="c.name", there="c.there", hint=sql.nearest("c.name", "c.columns"), columns=sql.listing("c.columns"), way="c.way") | indent }} as message
from (
    select
        c.name,
        list_filter(c.columns, lambda e, i: list_position(c.columns, e) = i) as columns,
        {{ tables.segments.name ~ " || ' nor ' || " if by_table }}{{ tables.truth.name ~ " || ' nor ' || " if "truth" in tables }}{{ tables.recs.name }} as there,
        {{ "''" if by_table else "'; give a table with user_id and that column as segments'" }} as way
    from (
        select
            c.name,
            flatten([
{% if by_table %}
                {{ columns_in("segments") }},
{% endif %}
{% if "truth" in tables %}
                {{ columns_in("truth") }},
{% endif %}
                {{ columns_in("recs") }}
            ]) as columns
        from segment_tables as c
        where c.role is null
    ) as c
) as c
limit 1
