{#
row = "one row per pair: twice the number of pairs of the other label that it is ordered rightly with; of equal predictions, half"
grain = "rating"
#}
{# The pairs with a label whose prediction is below that of p, and half of those with the same one, times 2. #}
{% macro below(label, part="") %}
{% set window = "(partition by " ~ model("p") ~ ("p.user_id, " if by_user) ~ part ~ "p.prediction is null order by p.prediction asc" %}
{% set counted = "count(case when " ~ label_of("p.rating") ~ " = " ~ label ~ " then 1 end) over " ~ window %}
2 * {{ counted }}) - {{ counted }} range between current row and current row)
{%- endmacro %}
select
    p.*,
    case when {{ label_of("p.rating") }} = 1 and p.prediction is not null then {{ below(0) }} end as wins{% if rating_groups %},
    {# What the others lose without the group: wins of its labels 1 over them, and of their labels 1 over its labels 0. #}
    case
        when {{ label_of("p.rating") }} = 1
            then {{ below(0) }} - ({{ below(0, "g.part, ") }})
        else 2 * count(case when {{ label_of("p.rating") }} = 1 then 1 end) over (partition by {{ model("p") }}p.prediction is null) - ({{ below(1) }})
    end as lost{% endif %}

from pairs as p{% if rating_groups %}

inner join user_groups as g on g.user_id = p.user_id{% endif %}
