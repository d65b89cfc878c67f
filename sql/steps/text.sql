{#
Text: which parts of the relevant text each list has, and how much is read for that.

Goes in: the rows of lists, and the spans that they meet. Comes out: relevant_text, the number of positions in the spans of
each user; rows_at_k, one row per list and cut-off, with its rows, their text, and the relevant text among that.
#}
{% set shared_text = "meetings" if match == "any" else "covers" %}
{% set cut_text = "cut_covers" if fast else shared_text %}
{% set cuts_known = user_columns | sum(attribute="ks", start=()) | unique | sort %}
{% set few_cuts = not named and cuts_known | length <= 5 %}

-- name: relevant_text
{#
row = "one row per user with relevant spans: the number of positions in them, each counted once"
#}
{# A span adds what is behind the ends of all that start before it. #}
select s.user_id, sum(greatest(s.stop - greatest(s.start, coalesce(s.reached, s.start)), 0)) as length
from (
    select
        t.user_id,
        t.start,
        t.stop,
        max(t.stop) over (
            partition by t.user_id, t.document
            order by t.start asc, t.stop asc
            rows between unbounded preceding and 1 preceding
        ) as reached
    from relevant as t
) as s
group by s.user_id

-- name: covers
{#
row = "one row per row of a list and relevant span that share text, whether or not the row finds the span: that text"
kept = true
#}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.document,
    greatest(r.start, t.start) as start,
    least(r.stop, t.stop) as stop,
    r.{{ reach }}
from {{ rows_of_lists }} as r
inner join relevant as t
    on t.user_id = r.user_id and t.document = r.document and r.start < t.stop and t.start < r.stop and r.start < r.stop

-- name: firsts (fast)
{#
row = "one row per list and document with shared text: its length, its first row, and whether that row has all of it"
#}
select
{% if modelled %}
    c.model,
{% endif %}
    c.user_id,
    c.document,
    max(c.stop) - min(c.start) as length,
    min(c.{{ reach }}) as {{ reach }},
    {{ sql.of_first("c.stop - c.start", "c." ~ reach) }} = max(c.stop) - min(c.start) as whole
from {{ shared_text }} as c
group by {{ model("c") }}c.user_id, c.document

-- name: cut_covers (fast)
{#
row = "one row per row of a list and relevant span that share text, in documents whose first row has not all of it: that text"
buys = "the pieces of text in 10 million rows take 1.2 CPU seconds instead of 1.7, as the first row with relevant text of a document mostly has all of it"
kept = true
#}
select {{ model("c") }}c.user_id, c.document, c.start, c.stop, c.{{ reach }}
from {{ shared_text }} as c
inner join firsts as o on {{ same_model("o", "c") }}o.user_id = c.user_id and o.document = c.document
where not o.whole

-- name: borders
{#
row = "one row per list, document and position at which shared text begins or ends: the position, and the next one"
#}
select
{% if modelled %}
    b.model,
{% endif %}
    b.user_id,
    b.document,
    b.start,
    lead(b.start) over (partition by {{ model("b") }}b.user_id, b.document order by b.start asc) as stop
from (
    select {{ model("c") }}c.user_id, c.document, c.start
    from {{ cut_text }} as c
    union
    select {{ model("c") }}c.user_id, c.document, c.stop as start
    from {{ cut_text }} as c
) as b

-- name: pieces
{#
row = "one row per list and piece of relevant text between two borders: its length, and where the first row that has it counts"
#}
{# A piece is to text what a hit is to items: it counts once, however many rows have it. #}
select
{% if modelled %}
    b.model,
{% endif %}
    b.user_id,
    b.stop - b.start as length,
    min(c.{{ reach }}) as {{ reach }}
from borders as b
inner join {{ cut_text }} as c
    on {{ same_model("c", "b") }}c.user_id = b.user_id and c.document = b.document and c.start <= b.start and c.stop >= b.stop
group by {{ model("b") }}b.user_id, b.document, b.start, b.stop{% if fast %}

union all
select {{ model("o") }}o.user_id, o.length, o.{{ reach }}
from firsts as o
where o.whole{% endif %}


-- name: counted_rows
{#
row = "one row per row of a list, row that finds a span, and piece of relevant text: what each adds to the statistics at cut-offs that reach it"
inline = true
#}
{% macro counted(row, rows, values) %}
{% if statistics("rows") | select("in", values) | list %}
select {{ model(row) }}{{ row }}.user_id, {{ row }}.{{ reach }}{% for one in statistics("rows") %}, {{ values.get(one, 0) }} as {{ one }}{% endfor %}

from {{ rows }} as {{ row }}
{% endif %}
{% endmacro %}
{% set finders = "(select distinct " ~ model("m") ~ "m.user_id, m.rank" ~ (", m.place" if budgeted else "") ~ " from meetings as m)" %}
{% set parts = [
    counted("r", rows_of_lists, {"rows_in_force": 1, "text_read": "r.stop - r.start"}),
    counted("m", finders, {"useful": 1}),
    counted("p", "pieces", {"text_found": "p.length"}),
] %}
{% for part in parts | select %}
{{ part | trim }}
{{ "union all" if not loop.last }}
{% endfor %}

-- name: rows_at_k
{#
row = "one row per list and cut-off: the statistics of the rows in the top k, and of the relevant text in them"
sums = { over = "rows", alias = "f", reader = "at_k" }
#}
select
{% if modelled %}
    e.model,
{% endif %}
    e.user_id,
    c.k{% for one in statistics("rows") %},
    {{ text_of(one) }} as {{ one }}{% endfor %}

from counted_rows as e
inner join cutoffs as c on c.k >= e.{{ reach }}
group by {{ model("e") }}e.user_id, c.k

-- name: rows_at_k (fast)
{#
when = "few_cuts"
buys = "all metrics of spans over 10 million rows at three cut-offs take 7.4 CPU seconds instead of 8.3, as each row is added up once and not at each cut-off"
#}
select
{% if modelled %}
    e.model,
{% endif %}
    e.user_id,
    c.k{% for one in statistics("rows") %},
    case c.k{% for k in cuts_known %} when {{ k }} then e.{{ one }}_{{ loop.index }}{% endfor %} end as {{ one }}{% endfor %}

from (
    select
{% if modelled %}
        e.model,
{% endif %}
        e.user_id{% for one in statistics("rows") %}{% for k in cuts_known %},
        cast(sum(case when e.{{ reach }} <= {{ k }} then e.{{ one }} end) as bigint) as {{ one }}_{{ loop.index }}{% endfor %}{% endfor %}

    from counted_rows as e
    group by {{ model("e") }}e.user_id
) as e
cross join cutoffs as c
