{#
Expressions of a split: cuts in time, and the part of an interaction t.
#}

-- name: and_others
{#
about = "the further columns of an ORDER BY of interactions t: all others, so that the order of the rows does not matter"
grain = "interaction"
#}
{% for column in others %}, {{ column }} {{ x }} nulls {{ "last" if x == "asc" else "first" }}{% endfor %}

-- name: cut_by_fraction
{#
about = "the query for the earliest time with at most a fraction of all rows from it on"
grain = "interaction"
#}
select min(d.place)
from (
    select
        a.place,
        sum(count(*)) over (order by a.place desc) as later,
        sum(count(*)) over () as interactions
    from (
        select {{ names.order_by }} as place
        from {{ rows }} as t{% if again %}

        where t.part = 'train'{% endif %}

    ) as a
    group by a.place
) as d
where d.later <= cast({{ fraction if fraction is not none else 'null' }} as decimal(10, 9)) * d.interactions

-- name: cuts_of_macro
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

-- name: part
{#
about = "the part that an interaction t belongs to: `kept` or `held`, or unused; with `again`, for the further split of train"
grain = "interaction"

[options.protocol]
about = "how interactions are divided into parts"
topic = "protocols"

[options.protocol.values]
temporal = "a cut in time for all users: train is before it, truth after it; no model sees the future"
backtest = "several cuts in time, one after the other; each is a fold"
last_n = "truth is the last n interactions of each user"
last_fraction = "truth is the last part of each user's interactions"
leave_one_out = "truth is the last interaction of each user"
random = "truth is drawn by a hash of user, item and seed"
users = "truth is the last part of the interactions of some users, who are drawn by a hash; their others are fold_in"
k_fold = "each interaction is truth in one of several folds, drawn by a hash, and train in the others"

[options.order_by]
about = "the column that orders interactions; with hash, a random one of each user counts as the last; ties are ordered by item, then by time and all other columns"
topic = "cuts"
default = "timestamp"
type = "column"

[options.split__n]
about = "how many interactions of each user are truth"
topic = "protocols"
default = 1
type = "integer"
at_least = 1
where = { protocol = "last_n" }

[options.fraction]
about = "the share of truth: of each user's interactions, of all (temporal, random), or of the users; 0.2 if not given, except with temporal"
topic = "protocols"
type = "number"
above = 0
below = 1
where = { protocol = "temporal last_fraction random users" }

[options.fold_in]
about = "the share of a drawn user's interactions, the first ones, that are fold_in: what a model may know of that user"
topic = "protocols"
default = 0.8
type = "number"
above = 0
below = 1
where = { protocol = "users" }

[options.split__exact]
about = "with protocol = random, whether each user gives exactly the share, or each interaction is drawn by itself"
topic = "protocols"
default = "false"
where = { protocol = "random" }

[options.split__exact.values]
false = "each interaction by itself"
true = "each user gives the share, rounded as `rounding` says"

[options.per]
about = "what is in the same fold"
topic = "protocols"
default = "row"
where = { protocol = "k_fold" }

[options.per.values]
row = "each interaction by itself; those of a user and an item are together"
user = "all interactions of a user"

[options.split__ties]
about = "which of a user's interactions at the same time comes last"
topic = "cuts"
default = "item"
where = { protocol = "leave_one_out last_n last_fraction users" }

[options.split__ties.values]
item = "the one with the larger item id"
row_last = "the one in the later row of the table; DuckDB only"
row_first = "the one in the earlier row of the table; DuckDB only"
together = "none of them: all stay in the earlier part"
error = "an error if they would be in different parts"

[options.seed]
about = "the seed of the hash, of a split and of candidates"
also = "draw"
topic = "cuts"
default = 0
type = "integer"

[options.single]
about = "where the first interaction of a user goes if all of them would be truth; it may be the only one"
topic = "cuts"
default = "train"
where = { protocol = "leave_one_out last_n last_fraction random users" }

[options.single.values]
train = "train: the first interaction stays in train"
truth = "truth: the user has no rows in train"
#}
{% set user, item, place = names.user_id, names.item_id, names.order_by %}
{% set drawn_by = sql.text(user) ~ " || ':' || " ~ sql.text(item) ~ " || ':' || " ~ sql.text(seed) %}
{% set rows_of_user = "partition by " ~ user ~ (", t.part" if again else "") %}
{% set all = "count(*) over (" ~ rows_of_user ~ ")" %}
{% set part_of_all = fraction if fraction is not none else "2e-1" %}
{% set share = "(1 - cast(" ~ fold_in ~ " as decimal(10, 9)))" if protocol == "users" else "cast(" ~ part_of_all ~ " as decimal(10, 9))" %}
{% set below = part_of_all ~ " * 4294967296" %}
{% if timed and named %}
case
    when {{ place }} < c.cut{{ " and " ~ place ~ " >= c.opens" if train_window is not none }} then {{ kept }}
    when {{ place }} >= c.begins and coalesce({{ place }} < c.ends, true) then {{ held }}
    else 'unused'
end
{% elif timed %}
case
{% if train_window is not none %}
    when {{ place }} < c.cut and {{ place }} >= c.cut - {{ train_window }} then {{ kept }}
{% else %}
    when {{ place }} < c.cut then {{ kept }}
{% endif %}
{% if split__window is not none %}
    when {{ place }} >= {{ start_of_truth() }} and {{ place }} < {{ start_of_truth() }} + {{ split__window }} then {{ held }}
{% else %}
    when {{ place }} >= {{ start_of_truth() }} then {{ held }}
{% endif %}
    else 'unused'
end
{% elif protocol == "k_fold" %}
case
    when {{ sql.group_of(sql.text(user) ~ " || ':' || " ~ sql.text(seed) if per == "user" else drawn_by, folds if folds is not none else "5") }} = c.fold - 1 then {{ held }}
    else {{ kept }}
end
{% elif protocol == "random" and split__exact == "false" %}
case
    when {{ sql.draw(drawn_by ~ (" || ':again'" if again else "")) }} < {{ below }} then {{ held }}
    else {{ kept }}
end
{% else %}
{% set order = "md5(" ~ drawn_by ~ ")" if order_by == "hash" or protocol == "random" else place %}
{% set direction = "asc" if protocol == "random" else "desc" %}
{% set of_rounded_train = all ~ " - " ~ rounded(all ~ " * (1 - " ~ share ~ ")") %}
{% set of_share = of_rounded_train if rounding == "train_nearest_even" else rounded(all ~ " * " ~ share) %}
{% set by_place = order ~ " desc, t.row_place " ~ ("desc" if split__ties == "row_last" else "asc") if by_row else order ~ " " ~ direction ~ ", " ~ item ~ " " ~ direction ~ and_others(direction) %}
{% set number = "1" if protocol == "leave_one_out" else split__n if protocol == "last_n" else of_share %}
case
{% if protocol == "users" %}
    when {{ sql.draw(sql.text(user) ~ " || ':' || " ~ sql.text(seed)) }} >= {{ below }} then {{ kept }}
{% endif %}
{% if protocol in ["leave_one_out", "last_n"] and split__ties != "together" %}
    when
        row_number() over (
            {{ rows_of_user }}
            order by {{ by_place }}
        ) <= {{ number }}{% if single == "train" %}

        and lead(1) over (
            {{ rows_of_user }}
            order by {{ by_place }}
        ) is not null{% endif %}

        then {{ held }}
{% else %}
    when
{% if split__ties == "together" %}
        count(*) over ({{ rows_of_user }} order by {{ order }} {{ direction }})
{% else %}
        row_number() over (
            {{ rows_of_user }}
            order by {{ by_place }}
        )
{% endif %}
        <= {{ number if single == "truth" else "least(" ~ number ~ ", " ~ all ~ " - 1)" }}
        then {{ held }}
{% endif %}
    else {{ "'fold_in'" if protocol == "users" else kept }}
end
{% endif %}

-- name: split_input
{#
about = "the step whose interactions are split"
grain = "interaction"
#}
{% if limited %}
kept_interactions
{% else %}
given_interactions
{% endif %}

-- name: split_result
{#
about = "the last step of a split"
grain = "interaction"
#}
{% if split__target != "all" %}
targeted
{% elif dropped %}
known
{% else %}
{{ divided() }}
{% endif %}

-- name: start_of_truth
{#
about = "the time from which interactions are truth"
grain = "interaction"

[options.gap]
about = "the time between the cut and the truth; interactions in it are unused; a number, or such as 7 days"
topic = "cuts"
type = "span"
where = { protocol = "temporal backtest" }
#}
{% if named %}
c.begins
{% elif gap is not none %}
c.cut + {{ gap }}
{% else %}
c.cut
{% endif %}

-- name: divided
{#
about = "the step that has divided train, once or twice"
grain = "interaction"
#}
{% if validation == "true" %}
validated
{% else %}
parted
{% endif %}
