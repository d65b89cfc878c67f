{#
The division of interactions into train, validation and truth.

Goes in: given_interactions. Comes out: parted or one of the steps after it, one row per interaction and fold, with
its part.
#}
{% set splits = target == "split" %}
{% set timed = protocol == "temporal" or protocol == "backtest" %}
{% set in_folds = protocol == "k_fold" or protocol == "backtest" %}
{% set drawn = order_by == "hash" or protocol in ["random", "k_fold", "users"] %}
{% set placed = (order_by != "hash" and protocol not in ["random", "k_fold"]) or split__target != "all" %}
{% set limited = core is not none or user_min is not none or item_min is not none %}
{% set by_row = split__ties in ["row_first", "row_last"] and protocol in ["leave_one_out", "last_n", "last_fraction", "users"] %}
{% set dropped = cold_users == "drop" or cold_items == "drop" or repeats == "drop" %}
{% set row_by_row = timed and not limited and not dropped and split__target == "all" %}

-- name: given_interactions
{#
row = "one row per interaction, with all columns"
grain = "interaction"
inline = true
#}
{% if by_row %}
select
    t.*,
    row_number() over () as row_place
from (
    {{ tables.interactions.select | indent }}
) as t
{% else %}
{{ tables.interactions.select }}
{% endif %}

-- name: core_pairs
{#
row = "one row per user and item in the core, where each user has enough items and each item enough users"
grain = "interaction"

[options.core]
about = "before the split, keep only the core, in which each user has at least so many items and each item at least so many users"
topic = "parts"
type = "integer"
at_least = 2
#}
{% if "core" in tables %}
{{ tables.core.select }}
{% else %}
with recursive rounds as (
    select
        1 as round,
        p.user_id,
        p.item_id,
        count(*) over (partition by p.user_id) as items,
        count(*) over (partition by p.item_id) as users
    from (
        select distinct {{ names.user_id }} as user_id, {{ names.item_id }} as item_id
        from given_interactions as t
    ) as p
    union all
    select
        r.round + 1 as round,
        r.user_id,
        r.item_id,
        count(*) over (partition by r.user_id) as items,
        count(*) over (partition by r.item_id) as users
    from (
        select a.*, min(least(a.items, a.users)) over () as fewest
        from rounds as a
    ) as r
    where r.fewest < {{ core }} and r.items >= {{ core }} and r.users >= {{ core }}
)

select l.user_id, l.item_id
from rounds as l
where
    l.round = (select max(m.round) from rounds as m)
    and l.items >= {{ core }}
    and l.users >= {{ core }}
{% endif %}

-- name: kept_interactions
{#
row = "one row per interaction of the users and items that have enough"
grain = "interaction"

[options.user_min]
about = "keep only users with at least so many items, before the split"
topic = "parts"
type = "integer"
at_least = 2

[options.item_min]
about = "keep only items with at least so many users, before the split"
topic = "parts"
type = "integer"
at_least = 2
#}
select t.*
from given_interactions as t{% if core is not none %}

inner join core_pairs as p on p.user_id = {{ names.user_id }} and p.item_id = {{ names.item_id }}{% endif %}{% if user_min is not none %}

inner join (
    select {{ names.user_id }} as user_id
    from given_interactions as t
    group by {{ names.user_id }}
    having count(distinct {{ names.item_id }}) >= {{ user_min }}
) as u on u.user_id = {{ names.user_id }}{% endif %}{% if item_min is not none %}

inner join (
    select {{ names.item_id }} as item_id
    from given_interactions as t
    group by {{ names.item_id }}
    having count(distinct {{ names.user_id }}) >= {{ item_min }}
) as i on i.item_id = {{ names.item_id }}{% endif %}

-- name: cuts
{#
row = "one row per fold, or one in all: the end of its train"
grain = "interaction"

[options.cut]
about = "the time from which interactions are truth: a number, or a date or time such as 2026-03-01, in UTC if the column has a time zone"
topic = "cuts"
type = "moment"
where = { protocol = "temporal backtest" }

[options.split__window]
about = "the length of the truth, as a number or such as 7 days; later interactions are unused"
topic = "cuts"
type = "span"
where = { protocol = "temporal backtest" }

[options.step]
about = "the time from one cut to the next, as a number or such as 7 days; by default the window"
topic = "cuts"
type = "span"
where = { protocol = "backtest" }

[options.train_window]
about = "the length of each train, as a number or such as 90 days; earlier interactions are unused"
topic = "cuts"
type = "span"
where = { protocol = "temporal backtest" }

[options.folds]
about = "the number of folds: 5 for k_fold; for backtest, by default, those whose truth ends within the data, at most 1,000"
topic = "protocols"
type = "integer"
at_least = 1
at_most = 1000
where = { protocol = "k_fold backtest" }
#}
{% set interval = step if step is not none else split__window %}
{% if named and timed %}
{{ cuts_of_macro(again=false) }}
{% else %}
{% if protocol == "k_fold" %}
select n.i as fold
from {{ sql.whole_numbers(1, folds if folds is not none else 5) }} as n
{% elif protocol == "backtest" and (cut is none or split__window is none) %}
{# The checks refuse the call. #}
select 1 as fold, max({{ names.order_by }}) as cut
from {{ split_input() }} as t
{% elif protocol == "backtest" %}
select
    c.fold,
    c.cut
from (
    select
        n.i as fold,
        {{ cut }} + (n.i - 1) * {{ interval }} as cut
    from {{ sql.whole_numbers(1, folds if folds is not none else 1000) }} as n
) as c{% if folds is none %}

where {{ start_of_truth() }} + {{ split__window }} <= (
    select max({{ names.order_by }})
    from {{ split_input() }} as t
){% endif %}

{% elif cut is not none %}
select {{ cut }} as cut
{% else %}
select (
    {{ cut_by_fraction(rows=split_input(), again=false) | indent }}
) as cut
{% endif %}
{% endif %}

-- name: parted
{#
row = "one row per interaction, in each fold, with its part"
grain = "interaction"
#}
select
    t.*,
{% if in_folds %}
    c.fold,
{% endif %}
    {{ part(again=false, kept="'train'", held="'truth'") | indent }} as part
from {{ split_input() }} as t{% if timed or in_folds %}

cross join cuts as c{% endif %}

-- name: validation_cuts
{#
row = "one row: the end of train in its further split"
grain = "interaction"
#}
{% if named %}
{{ cuts_of_macro(again=true) }}
{% elif cut is not none %}
select c.cut{% if gap is not none %} - {{ gap }}{% endif %} - {{ split__window if split__window is not none else "null" }} as cut
from cuts as c
{% else %}
select (
    {{ cut_by_fraction(rows="parted", again=true) | indent }}
) as cut
{% endif %}

-- name: validated
{#
row = "one row per interaction; train is split once more, into train and validation"
grain = "interaction"

[options.validation]
about = "whether train is split once more, in the same way, for a part validation"
topic = "parts"
default = "false"
where = { protocol = "temporal leave_one_out last_n last_fraction random" }

[options.validation.values]
false = "no"
true = "yes; with a cut, the validation is a window before it"
#}
select
    {{ sql.without("t", "part") }},
    case
        when t.part = 'train' then {{ part(again=true, kept="'train'", held="'validation'") | indent(8) }}
        else t.part
    end as part
from parted as t{% if timed %}

cross join validation_cuts as c{% endif %}

-- name: known
{#
row = "one row per interaction; truth that models can't know, or know already, is a part of its own"
grain = "interaction"

[options.cold_users]
about = "truth of users who have nothing in train or fold_in"
topic = "parts"
default = "keep"

[options.cold_users.values]
keep = "it stays"
drop = "it is unused"

[options.cold_items]
about = "truth whose items are not in train or fold_in"
topic = "parts"
default = "keep"

[options.cold_items.values]
keep = "it stays"
drop = "it is unused"

[options.repeats]
about = "truth whose user has the item in train or fold_in already"
topic = "parts"
default = "keep"

[options.repeats.values]
keep = "it stays"
drop = "it is unused"
#}
{% set rows = divided() %}
{% set fold = "t.fold, " if in_folds else "" %}
{% set learnt = "from " ~ rows ~ " as t where t.part in ('train', 'fold_in')" %}
select
    {{ sql.without("t", "part") }},
    case
{% if cold_users == "drop" %}
        when t.part in ('truth', 'validation') and u.user_id is null then 'cold_user'
{% endif %}
{% if cold_items == "drop" %}
        when t.part in ('truth', 'validation') and i.item_id is null then 'cold_item'
{% endif %}
{% if repeats == "drop" %}
        when t.part in ('truth', 'validation') and p.item_id is not null then 'repeat'
{% endif %}
        else t.part
    end as part
from {{ rows }} as t{% if cold_users == "drop" %}

left join (
    select distinct {{ fold }}{{ names.user_id }} as user_id
    {{ learnt }}
) as u on {{ "u.fold = t.fold and " if in_folds else "" }}u.user_id = {{ names.user_id }}{% endif %}{% if cold_items == "drop" %}

left join (
    select distinct {{ fold }}{{ names.item_id }} as item_id
    {{ learnt }}
) as i on {{ "i.fold = t.fold and " if in_folds else "" }}i.item_id = {{ names.item_id }}{% endif %}{% if repeats == "drop" %}

left join (
    select distinct {{ fold }}{{ names.user_id }} as user_id, {{ names.item_id }} as item_id
    {{ learnt }}
) as p on {{ "p.fold = t.fold and " if in_folds else "" }}p.user_id = {{ names.user_id }} and p.item_id = {{ names.item_id }}{% endif %}

-- name: targeted
{#
row = "one row per interaction; of the truth of each user, one interaction counts"
grain = "interaction"

[options.split__target]
about = "which interactions of a user's truth count; the others are unused"
topic = "parts"
default = "all"

[options.split__target.values]
all = "all"
first = "the first one, with ties by item, then by all other columns"
last = "the last one, with ties by item, then by all other columns"
#}
{% set direction = "asc" if split__target == "first" else "desc" %}
select
    {{ sql.without("t", "part") }},
    case
        when
            t.part in ('truth', 'validation')
            and row_number() over (
                partition by {{ "t.fold, " if in_folds else "" }}t.part, {{ names.user_id }}
                order by {{ names.order_by }} {{ direction }}, {{ names.item_id }} {{ direction }}{{ and_others(direction) }}
            ) > 1
            then 'not_target'
        else t.part
    end as part
from {{ "known" if dropped else divided() }} as t
