{#
What a corpus allows: which spans of the truth its chunks find, and how its chunks follow each other.

Goes in: the table corpus, one row per chunk that can be listed, and relevant. Comes out: reach, one row per span that some
chunk meets. Few documents can be long, so that chunks and spans meet in buckets of positions; a pair counts in the bucket
where the later one of both starts.
#}
{% set corpus_by_id = "corpus" in tables and "item_id" in tables.corpus.columns and "item_id" in tables.recs.columns %}

-- name: given_corpus
{#
row = "one row per chunk of the corpus"
grain = "finding"
inline = true

[options.corpus]
about = "a table of the chunks that can be listed, for check alone: document, start, end and perhaps item_id"
topic = "spans"
type = "table"
input = true
#}
{{ tables.corpus.select }}

-- name: bucket_width
{#
row = "one row: how many positions are a bucket"
#}
{# The mean length, so that there are at most three times as many rows, however long some chunks or spans are. #}
select cast(ceil(max(w.width)) as bigint) as width
from (
    select avg(c.stop - c.start) as width
    from given_corpus as c
    where c.start < c.stop
    union all
    select avg(t.stop - t.start) as width
    from relevant as t
) as w

-- name: chunks
{#
row = "one row per range of the corpus and bucket that it has a part of"
#}
{{ in_buckets(rows="given_corpus") }}

-- name: span_buckets
{#
row = "one row per span and bucket that it has a part of"
#}
{{ in_buckets(rows="relevant") }}

-- name: reach
{#
row = "one row per span that some chunk meets: whether one finds it, and whether one holds all of it"
#}
select
    t.document,
    t.start,
    t.stop,
    max(case when {{ meets_enough() }} then 1 else 0 end) as is_found,
    max(case when r.start <= t.start and t.stop <= r.stop then 1 else 0 end) as is_whole
from chunks as r
inner join span_buckets as t
    on t.document = r.document and t.bucket = r.bucket and r.start < t.stop and t.start < r.stop
where r.bucket = case when r.start > t.start then r.first else t.first end
group by t.document, t.start, t.stop

-- name: neighbours
{#
row = "one row per range of the corpus that follows another in its document: the end of that"
#}
select c.document, c.before, c.start
from (
    select c.document, c.start, lag(c.stop) over (partition by c.document order by c.start asc, c.stop asc) as before
    from (select distinct c.document, c.start, c.stop from given_corpus as c) as c
) as c
where c.before is not null
