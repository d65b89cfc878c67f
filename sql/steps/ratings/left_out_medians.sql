{#
row = "one row per model and group of users: the median error of all other users"
grain = "rating"
#}
{# The n-th pair of the others has the place n, plus one for each pair of the group before it: that is, with fewer than n others before it. #}
{% macro place_of(n) %}cast(floor({{ n }}) as bigint) + count(case when e.place - e.own_place < cast(floor({{ n }}) as bigint) then 1 end){% endmacro %}
select
    {{ model("m") }}m.part,
    (l.error + u.error) / 2e0 as median_absolute_error
from (
    select
        {{ model("e") }}e.part,
        {{ place_of("(e.others + 1) / 2e0") }} as lower_place,
        {{ place_of("(e.others + 2) / 2e0") }} as upper_place
    from ordered_errors as e
    group by {{ model("e") }}e.part, e.others
) as m
inner join ordered_errors as l on {{ same_model("l", "m") }}l.place = m.lower_place
inner join ordered_errors as u on {{ same_model("u", "m") }}u.place = m.upper_place
