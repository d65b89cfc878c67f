{#
Ranges of documents that meet.
#}

-- name: meeting
{#
about = "the join of rows `r` of lists with the spans `t` that they find"
of_all = true

[options.spans]
about = "whether the truth has spans of documents, which it has if it has a column document and none of items"
topic = "spans"
default = "false"
alone = "true"
input = true

[options.spans.values]
false = "a row of a list is an item"
true = "a row of a list is a range of a document, and finds the spans that it meets"
#}
{# An empty row within a span shares nothing. #}
inner join relevant as t
    on
        t.user_id = r.user_id
        and t.document = r.document
        and r.start < t.stop
        and t.start < r.stop
        and r.start < r.stop{% if match != "any" %}

        and {{ meets_enough() }}{% endif %}

-- name: meets_enough
{#
about = "whether a row `r` that meets the span `t` finds it"
of_all = true

[options.match]
about = "when a row of a list finds a span"
topic = "spans"
default = "any"

[options.match.values]
any = "they share at least one position"
share = "they share at least match_threshold of the span; with 1, the row holds the whole span"
iou = "what they share is at least match_threshold of what the row and the span cover together"

[options.match_threshold]
about = "the least share of a match"
topic = "spans"
default = 0.5
type = "number"
above = 0
at_most = 1
where = { match = "share iou" }
#}
{% set shared = '(least(r.stop, t.stop) - greatest(r.start, t.start))' %}
{% if match == "any" %}
true
{% else %}
{# A division, as a product would not be rounded like the threshold. #}
{{ double(shared) }} / {{ '(t.stop - t.start)' if match == "share" else '(r.stop - r.start + t.stop - t.start - ' ~ shared ~ ")" }} >= {{ match_threshold }}
{% endif %}

-- name: said_item
{#
about = "the item of a row `x` as people read it: its id, or its range of a document"
#}
{% if of_spans %}
{{ sql.text(x ~ ".document") }} || ' ' || {{ sql.positions(x ~ ".start", x ~ ".stop") }}
{%- else %}
{{ sql.text(x ~ ".item_id") }}
{%- endif %}


-- name: rows_and_spans
{#
about = "the rows of lists in the top k with the spans that each finds first, and a row for each span that a model doesn't find"
grain = "hit"
#}
{% set stop = "h.item_id." ~ sql.quote("end") %}
select
    {{ model_of("o") }},
    {{ as_given("o.user_id") }},{{ text_column() }}
    {{ as_given("o.document") }},
    {{ as_given("o.start") }},
    {{ as_given("o.stop") }},
    {{ as_given("o.item_id") }},
    o.rank,
{% if budgeted %}
    o.place,
{% endif %}
    o.spans is not null as hit,
    o.spans
from (
    select
        {{ model("r") }}r.user_id,
        r.document,
        r.start,
        r.stop,
        r.item_id,
        try_cast(r.rank as bigint) as rank,
{% if budgeted %}
        r.place,
{% endif %}
        f.spans
    from {{ "spent" if budgeted else "recommended" }} as r
    inner join {{ "(select max(c.k) as k from cutoffs as c)" if named else "cutoffs" }} as c on c.k >= r.{{ reach }}
    left join (
        select
            {{ model("h") }}h.user_id,
            h.rank,
            {{ sql.listing(sql.ordered_list(sql.positions("h.item_id.start", stop), "h.item_id.start")) }} as spans
        from hits_in_force as h
        group by {{ model("h") }}h.user_id, h.rank
    ) as f on {{ same_model("f", "r") }}f.user_id = r.user_id and f.rank = r.rank
    union all
    select
        {{ model("m") }}t.user_id,
        t.document,
        t.start,
        t.stop,
        null as item_id,
        null as rank,
{% if budgeted %}
        null as place,
{% endif %}
        null as spans
    from relevant as t
    cross join models as m
    left join hits_in_force as h on {{ same_model("h", "m") }}h.user_id = t.user_id and h.item_id = t.item_id
    where h.item_id is null
) as o{{ text_join("o.user_id") }}

-- name: without_document
{#
about = "a check of `x`, a table `alias` with documents: a row without one"
#}
select
    {{ sentence(user=alias ~ ".user_id") | indent }} as message
from {{ x }} as {{ alias }}
where {{ alias }}.document is null
order by {{ alias }}.user_id asc
limit 1

-- name: odd_positions
{#
about = "a check of `x`, a table `alias` with ranges: a start or end that is no position; `missing` is what to do where there is none"
#}
{% macro is_odd(end) %}{{ end }} is null or {{ end }} < 0 or {{ end }} % 1 <> 0{% endmacro %}
{% set start, last = alias ~ ".start", alias ~ ".stop" %}
{% macro first_of(one, other) %}case when {{ is_odd(start) }} then {{ one }} else {{ other }} end{% endmacro %}
{% set position = first_of(start, last) %}
{% set way %}
case
    when {{ position }} is null then {{ literal(missing) }}
    when {{ position }} < 0 then 'was the text not found? leave the row out'
    else 'positions are whole numbers'
end
{%- endset %}
select
    {{ sentence(column=first_of("'start'", "'end'"), position=position, document=alias ~ ".document", user=alias ~ ".user_id", way=way) | indent }} as message
from {{ x }} as {{ alias }}
where
    {{ is_odd(start) }}
    or {{ is_odd(last) }}
order by {{ alias }}.user_id asc, {{ alias }}.document asc, message asc
limit 1

-- name: odd_ranges
{#
about = "a check of `x`, a table `alias` with ranges: one whose start is `than` its end"
#}
select
    {{ sentence(start=alias ~ ".start", end=alias ~ ".stop", document=alias ~ ".document", user=alias ~ ".user_id") | indent }} as message
from {{ x }} as {{ alias }}
where {{ alias }}.start {{ than }} {{ alias }}.stop
order by {{ alias }}.user_id asc, {{ alias }}.document asc, message asc
limit 1
