{#
about = "the number of rows with a lower rank in the list of a row `r` for which `counted` is not NULL"
#}
count({{ counted }}) over (partition by {{ model(r) }}{{ r }}.user_id order by {{ r }}.rank asc)
- count({{ counted }}) over (
    partition by {{ model(r) }}{{ r }}.user_id
    order by {{ r }}.rank asc
    range between current row and current row
)
