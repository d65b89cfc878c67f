{#
What can't be split, and what a split would divide badly.
#}

-- name: cut_outside
{#
message = "{interactions}: there is no interaction {side} {cut}; the {end} is of {time}"
place = 4
on = ["cuts"]
when = "timed"
#}
{% set late = "a.last < " ~ start_of_truth() %}
select
    {{ sentence(
        side="case when " ~ late ~ " then 'on or after' else 'before' end",
        cut="case when " ~ late ~ " then " ~ sql.text(start_of_truth()) ~ " else " ~ sql.text("c.cut") ~ " end",
        end="case when " ~ late ~ " then 'last' else 'first' end",
        time="case when " ~ late ~ " then " ~ sql.text("a.last") ~ " else " ~ sql.text("a.first") ~ " end",
    ) | indent }} as message
from cuts as c
cross join (
    select min({{ names.order_by }}) as first, max({{ names.order_by }}) as last
    from {{ split_input() }} as t
) as a
where {{ late }} or a.first >= c.cut
order by c.cut asc
limit 1

-- name: drawn_interactions
{#
message = "{interactions}: {column} is {kind}, which engines convert to text differently; cast it to a whole number or to text, so that every engine draws the same rows"
place = 2
on = ["given_interactions"]
when = "drawn"
#}
{% set user, item = names.user_id, names.item_id %}
{% set of_user = sql.is_written_differently(user) %}
select
    {{ sentence(
        column="case when " ~ of_user ~ " then 'user_id' else 'item_id' end",
        kind="case when " ~ of_user ~ " then " ~ sql.type_of(user) ~ " else " ~ sql.type_of(item) ~ " end",
    ) | indent }} as message
from given_interactions as t
where {{ of_user }} or {{ sql.is_written_differently(item) }}
order by {{ user }} asc, {{ item }} asc
limit 1

-- name: empty_part
{#
message = "{interactions}: protocol='{protocol}' leaves no interaction in {part}{fold}"
in_macro = "{interactions}: split_{protocol} leaves no interaction in {part}{fold}"
place = 6
on = ["parted"]
when = "protocol != 'leave_one_out'"
#}
{% set rows = split_result() %}
select
    {{ sentence(
        protocol="'" ~ protocol ~ "'",
        part="case when a.train = 0 then 'train' when a.truth = 0 then 'truth' else 'validation' end",
        fold="' of fold ' || " ~ sql.text("a.fold") if in_folds else "''",
    ) | indent }} as message
from (
    select
{% if in_folds %}
        t.fold,
{% endif %}
        count(case when t.part = 'train' then 1 end) as train,
        count(case when t.part = 'truth' then 1 end) as truth,
        count(case when t.part = 'validation' then 1 end) as validation
    from {{ rows }} as t
{% if in_folds %}
    group by t.fold
{% endif %}
) as a
where a.train = 0 or a.truth = 0{{ " or a.validation = 0" if validation == "true" else "" }}
order by {{ "a.fold" if in_folds else "a.train" }} asc
limit 1

-- name: interactions
{#
message = "{interactions}: {column} is {found} for user {user}, item {item}; leave such rows out or fill in a value"
place = 3
on = ["given_interactions"]
#}
{% set found = "null" if not placed else "case when i.user_id is not null and i.item_id is not null then " ~ sql.text("i.place") ~ " end" %}
select
    {{ sentence(column="case when i.user_id is null then 'user_id' when i.item_id is null then 'item_id' else " ~ literal(order_by) ~ " end", found=found, user="i.user_id", item="i.item_id") | indent }} as message
from (
    select
        {{ names.user_id }} as user_id,
        {{ names.item_id }} as item_id{% if placed %},
        {{ names.order_by }} as place{% endif %}

    from given_interactions as t
) as i
where
    i.user_id is null
{% if placed %}
    or i.place is null
    or ({{ sql.type_of("i.place") }} in ('DOUBLE', 'FLOAT') and lower({{ sql.text("i.place") }}) = 'nan')
{% endif %}
    or i.item_id is null
order by i.user_id asc, i.item_id asc, message asc
limit 1

-- name: cut_or_fraction
{#
message = "{what}"
place = 1
on = ["given_interactions"]
when = "timed and (named or ((cut is none or fraction is not none) and (cut is not none or fraction is none or protocol == 'backtest')))"
#}
{% set said = "split_" ~ protocol if named else "protocol=''" ~ protocol ~ "''" %}
select
    {{ sentence(what="'" ~ said ~ (" needs a cut, the time from which the interactions of the first fold are truth'" if protocol == "backtest" else " needs either a cut or a fraction'")) | indent }} as message
{% if named %}
where {{ cut ~ " is null" if protocol == "backtest" else "(" ~ cut ~ " is null) = (" ~ fraction ~ " is null)" }}
{% endif %}

-- name: no_folds
{#
message = "{interactions}: no window after this cut ends by the last interaction, at {last}; give an earlier cut or a shorter window"
place = 4
on = ["cuts"]
when = "protocol == 'backtest'"
#}
select
    {{ sentence(last=sql.text("a.last")) | indent }} as message
from (
    select max({{ names.order_by }}) as last
    from {{ split_input() }} as t
) as a
where not exists (select 1 from cuts as c)

-- name: no_interactions
{#
message = "{interactions}: {what}"
place = 3
on = ["given_interactions"]
when = "protocol != 'leave_one_out'"
#}
{% set empty = "'it has no rows, so there is nothing to split'" %}
{% set narrowed = "'core, user_min or item_min leaves no interaction; lower it'" %}
select
    {{ sentence(what="case when n.given = 0 then " ~ empty ~ " else " ~ narrowed ~ " end" if limited else empty) | indent }} as message
from (select count(*) as given from given_interactions as t) as n
{% if limited %}
cross join (select count(*) as kept from {{ split_input() }} as t) as k
where k.kept = 0
{% else %}
where n.given = 0
{% endif %}

-- name: unread_order
{#
message = "order_by: protocol='{protocol}' draws by a hash and reads no order; leave order_by= out"
place = 1
on = ["given_interactions"]
when = "protocol in ['random', 'k_fold'] and split__target == 'all' and order_by != 'timestamp' and not named"
#}
select
    {{ sentence(protocol="'" ~ protocol ~ "'") | indent }} as message

-- name: unread_seed
{#
message = "seed: protocol='{protocol}' draws nothing; leave seed= out"
place = 1
on = ["given_interactions"]
when = "seed != 0 and not (protocol is none or drawn or named)"
#}
select
    {{ sentence(protocol="'" ~ protocol ~ "'") | indent }} as message

-- name: no_protocol
{#
message = "protocol: choose one of {protocols}; temporal is recommended, because no model sees the future"
place = 1
on = ["given_interactions"]
when = "protocol is none"
#}
select
    {{ sentence(protocols=literal(words_of("protocol"))) | indent }} as message

-- name: no_window
{#
message = "window: give the length of {part}, such as 7 days"
in_macro = "period: give the length of {part}, such as 7 days"
place = 1
on = ["given_interactions"]
when = "(named or split__window is none) and (protocol == 'backtest' or (timed and validation == 'true' and cut is not none))"
#}
select
    {{ sentence(part="'the truth of each fold'" if protocol == "backtest" else "'the validation before the cut'") | indent }} as message
{% if named %}
where {{ split__window }} is null
{% endif %}

-- name: part_column
{#
message = "{interactions}: the column {column} already exists; rename it, or leave it out"
place = 2
on = ["given_interactions"]
when = "named"
#}
select
    {{ sentence(column="c.name") | indent }} as message
from table_columns as c
where lower(c.name) in ('part'{{ ", 'fold'" if in_folds }}{{ ", 'row_place'" if by_row }})
limit 1

-- name: row_order
{#
message = "ties='{ties}' needs the order of the rows, which preserve_insertion_order = false gives up; set it to true, or use ties='item'"
in_macro = "--ties {ties} needs the order of the rows, which preserve_insertion_order = false gives up; set it to true"
place = 2
on = ["given_interactions"]
when = "by_row"
#}
select
    {{ sentence(ties="'" ~ split__ties ~ "'") | indent }} as message
where not current_setting('preserve_insertion_order')

-- name: text_times
{#
message = "{interactions}: {column} is text, such as {example}, and sorts by time only if all of it are ISO dates of one form; cast it to a date, a timestamp or a number"
place = 3
on = ["given_interactions"]
when = "placed and (named or not timed) and names.get('order_by') not in (names.get('user_id'), names.get('item_id'))"
#}
{# Fractions of a second may differ in length, but not before a Z, which is greater than a point. #}
{% set digits = "translate(" ~ sql.text(names.order_by) ~ ", '123456789', '000000000')" %}
select
    {{ sentence(column=literal(order_by), example="n.example") | indent }} as message
from (
    select
        count(*) as texts,
        count(f.form) as dates,
        count(distinct f.form) as forms,
        coalesce(min(case when f.form is null then f.place end), min(f.place)) as example
    from (
        select
            d.place,
            case
                when d.form in ('0000-00-00T00:00Z', '0000-00-00T00:00:00Z') then d.form
                when
                    split_part(d.form, '.', 1) in ('0000-00-00 00:00:00', '0000-00-00T00:00:00')
                    and replace(split_part(d.form, '.', 2), '0', '') = 'Z'
                    then d.form
                when replace(split_part(d.form, '.', 2), '0', '') <> '' then null
                when split_part(d.form, '.', 1) in ('0000-00-00', '0000-00-00 00:00', '0000-00-00T00:00', '0000-00-00 00:00:00', '0000-00-00T00:00:00')
                    then split_part(d.form, '.', 1)
            end as form
        from (
            select {{ sql.text(names.order_by) }} as place, {{ digits }} as form
            from given_interactions as t
            where {{ sql.type_of(names.order_by) }} in ('VARCHAR', 'STRING', 'JSON')
        ) as d
    ) as f
) as n
where n.dates < n.texts or n.forms > 1

-- name: two_dates
{#
message = "{interactions}: {column} is {example} and the like, which can be read as two dates; write it as 2024-12-31, or cast it yourself, as with strptime() in a view"
place = 3
on = ["given_interactions"]
when = "placed and named"
#}
{% set name, time = tables.interactions.name, names.order_by.removeprefix("t.") %}
{% set rows %}{% include "targets/files.sql: texts_of_times" %}{% endset %}
select
    {{ sentence(column=literal(order_by), example="d.example") | indent }} as message
from (
{% filter indent(first=true) %}{% set column = "f." ~ time %}{% include "targets/files.sql: two_dates" %}{% endfilter %}

) as d

-- name: tied_parts
{#
message = "{interactions}: user {user} has interactions of {time} in {first} and in {last}; ties='item' or ties='together' decides"
place = 5
on = ["parted"]
when = "split__ties == 'error' and protocol in ['leave_one_out', 'last_n', 'last_fraction', 'users'] and order_by != 'hash'"
#}
{% set rows = divided() %}
select
    {{ sentence(user="a.user_id", time=sql.text("a.place"), first="a.last", last="a.first") | indent }} as message
from (
    select
        {{ names.user_id }} as user_id,
        {{ names.order_by }} as place,
        min(t.part) as first,
        max(t.part) as last
    from {{ rows }} as t
    group by {{ names.user_id }}, {{ names.order_by }}
) as a
where a.first <> a.last
order by a.user_id asc, a.place asc
limit 1
