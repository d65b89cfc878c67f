{#
row = "one row per mean: its standard error, the degrees of freedom (NULL: normal), and for values from 0 to 1 the effective number of users"
#}
{# Values that are only 0 and 1 equal their squares. If all values are equal, rounding leaves a small difference of moments. #}
select
    {{ key_columns("v") }}v.place,
    v.k,
    v.value,
    v.is_scored,
    case when not v.is_binary then v.users - 1e0 end as df,
    sqrt(v.variance / nullif(v.users - 1e0, 0e0)) as std_error,
    case
        when v.users < 2 then null
        when v.is_binary or v.variance = 0e0 then cast(v.users as double)
        else v.value * (1e0 - v.value) * (v.users - 1e0) / nullif(v.variance, 0e0)
    end as effective_users,
    v.users < 200 or v.others < 50 as few
from (
    select
        t.*,
        t.is_scored and t.value = t.moment as is_binary,
        case
            when t.moment - t.value * t.value > 1e-10 * t.moment then t.moment - t.value * t.value
            when t.is_scored then 0e0
        end as variance
    from (
        select
            {{ key_columns("s") | indent(8) }}s.place,
            s.k,
            s.value,
            s.users,
{% if in_rows %}
            s.place in ({% for column in user_columns if column.method == "wilson" %}{{ ", " if not loop.first }}{{ column.place }}{% endfor %}) as is_scored,
            coalesce(t.squares, 0e0) / nullif(s.users, 0) as moment,
            coalesce(t.others, 0) as others
        from summary as s
        left join totals as t on {{ same_keys("t", "s") }}t.place = s.place and t.k = s.k
{% else %}
            {{ of_metric("{scored}", of="s") | indent(12) }} as is_scored,
            {{ of_metric("coalesce(t.{name}_squares, 0e0)", of="s") | indent(12) }} / nullif(s.users, 0) as moment,
            {{ of_metric("coalesce(t.{name}_others, 0)", of="s") | indent(12) }} as others
        from summary as s
        left join totals as t on {{ same_keys("t", "s") }}t.k = s.k{% if grouping %}

        where
            {{ of_metric("true", of="s") | indent(12) }}{% endif %}

{% endif %}
    ) as t
) as v
