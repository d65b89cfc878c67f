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
