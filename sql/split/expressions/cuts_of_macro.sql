{#
about = "the rows of cuts, or of validation_cuts (`again`), where cut, window and fraction are parameters and the type of the column is unknown"
grain = "interaction"
#}
{# Times are texts in UTC, cast to the type of the column. The type of a median: a timestamp also for dates, and a double for whole numbers. #}
{% macro typed(x) %}try(cast_to_type({{ x }}, y.place)){% endmacro %}
{% set step_length = literal(step) if step is not none else split__window %}
select
{% if in_folds %}
    c.fold,
{% endif %}
    c.cut as moment,
    {{ typed("c.cut") }} as cut,
{% if train_window is not none %}
    {{ typed("recsql.later(c.cut, " ~ literal(train_window) ~ ", -1)") }} as opens,
{% endif %}
    {{ typed("c.begins") }} as begins,
    {{ typed("recsql.later(c.begins, " ~ split__window ~ ", 1)") }} as ends
from (
    select
        n.*,
        {{ "recsql.later(n.cut, " ~ literal(gap) ~ ", 1)" if gap is not none else "n.cut" }} as begins
    from (
{% if again %}
        select case
            when {{ cut }} is null then recsql.moment((
                {{ cut_by_fraction(rows="parted", again=true) | indent(16) }}
            ))
            else recsql.later({{ "recsql.later(c.moment, " ~ literal(gap) ~ ", -1)" if gap is not none else "c.moment" }}, {{ split__window }}, -1)
        end as cut
        from cuts as c
{% elif in_folds %}
        select
            i.i as fold,
            recsql.later(recsql.moment({{ cut }}), {{ step_length }}, i.i - 1) as cut
        from {{ sql.whole_numbers(1, "coalesce(" ~ folds ~ ", 1000)") }} as i
{% else %}
        select coalesce(recsql.moment({{ cut }}), recsql.moment((
            {{ cut_by_fraction(rows=split_input(), again=false) | indent(12) }}
        ))) as cut
{% endif %}
    ) as n
) as c
cross join (
    select median({{ names.order_by }}) as place
    from {{ split_input() }} as t
    where false
) as y{% if in_folds and not again %}

where
    {{ folds }} is not null
    or {{ typed("recsql.later(c.begins, " ~ split__window ~ ", 1)") }} <= (
        select max({{ names.order_by }})
        from {{ split_input() }} as t
    ){% endif %}

