{#
about = "how many rows with a lower rank in the list of a row `r` have `counted`, which is NULL for the others"
#}
count({{ counted }}) over (partition by {{ model(r) }}{{ r }}.user_id order by {{ r }}.rank asc)
- count({{ counted }}) over (
    partition by {{ model(r) }}{{ r }}.user_id
    order by {{ r }}.rank asc
    range between current row and current row
)
