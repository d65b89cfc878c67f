{#
The corpus beside truth and lists: spans out of reach, chunks of another chunking, and ends that are included.
#}

-- name: spans_unreachable
{#
about = "no chunk of the corpus finds a span"
matters = "the span can't be won, so that recall is below 1 for every list"
advice = "chunk the documents that are missing, or correct the spans; positions must be of the same text and unit in both tables"
severity = {error = 0.5, warning = 0}
unit = "spans"
table = "truth"
column = "document"
needs = ["spans", "corpus"]
#}
select
    {{ sql.text("null") }} as model,
    count(case when coalesce(c.is_found, 0) = 0 then 1 end) as found,
    count(*) as total,
    min(case when coalesce(c.is_found, 0) = 0 then {{ said_item("t") }} end) as example
from relevant as t
left join reach as c on c.document = t.document and c.start = t.start and c.stop = t.stop
{# rows #}
select t.user_id, t.document, t.start, t.stop
from relevant as t
left join reach as c on c.document = t.document and c.start = t.start and c.stop = t.stop
where coalesce(c.is_found, 0) = 0

-- name: spans_split
{#
about = "chunks meet a span, but none holds it whole"
matters = "a list needs several rows for what one question asks, and with match='share' or match='iou' perhaps none finds it"
advice = "let chunks overlap by the length of a span, or make them longer"
severity = "note"
unit = "spans"
table = "truth"
column = "document"
needs = ["spans", "corpus"]
#}
{% set lost = "count(case when c.is_whole = 0 and c.is_found = 0 then 1 end)" %}
select
    {{ sql.text("null") }} as model,
    count(case when c.is_whole = 0 then 1 end) as found,
    count(*) as total,
    min(case when c.is_whole = 0 then {{ said_item("t") }} end){% if match != "any" %}

    || case when {{ lost }} = 0 then '' else '; no chunk finds ' || {{ sql.text(lost) }} || ' of them' end{% endif %} as example
from relevant as t
left join reach as c on c.document = t.document and c.start = t.start and c.stop = t.stop
{# rows #}
select t.user_id, t.document, t.start, t.stop
from relevant as t
inner join reach as c on c.document = t.document and c.start = t.start and c.stop = t.stop
where c.is_whole = 0

-- name: chunks_unknown
{#
about = "rows of lists are no chunks of the corpus"
matters = "the lists come from another chunking, so the findings about this corpus do not apply to them"
advice = "give the corpus that was searched, or search it anew"
severity = {error = 0.5, warning = 0}
unit = "rows"
table = "recs"
column = "document"
needs = ["spans", "corpus"]
#}
select
    {{ model_of("r") }},
    count(case when c.document is null then 1 end) as found,
    count(*) as total,
    min(case when c.document is null then {{ said_item("r") }} end) as example
from given_recs as r
{{ in_corpus() }}
{{ group_by_model("r") }}
{# rows #}
select {{ model("r") }}r.user_id, {{ "r.item_id, " if corpus_by_id }}r.document, r.start, r.stop
from given_recs as r
{{ in_corpus() }}
where c.document is null

-- name: ends_included
{#
about = "chunks begin at the end of the one before plus 1"
matters = "the end of a range is the position behind the last one, so that each chunk lacks one and touching ones seem apart"
advice = "add 1 to the ends of all tables that have them included"
severity = "warning"
said = "warning if more than 90 % of the neighbours in a document are 1 apart, and none touch"
unit = "pairs"
table = "corpus"
column = "end"
needs = ["spans", "corpus"]
#}
{% set apart = "count(case when n.start = n.before + 1 then 1 end)" %}
select
    {{ sql.text("null") }} as model,
    case when 10 * {{ apart }} > 9 * count(*) and count(case when n.start = n.before then 1 end) = 0 then {{ apart }} end as found,
    count(*) as total,
    min(case when n.start = n.before + 1 then {{ sql.text("n.document") }} || ': ' || {{ sql.text("n.before") }} || ', then ' || {{ sql.text("n.start") }} end) as example
from neighbours as n
{# rows #}
select n.document, n.before, n.start
from neighbours as n
where n.start = n.before + 1
