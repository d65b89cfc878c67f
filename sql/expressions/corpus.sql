{#
Ranges of a corpus: buckets of positions, and the rows of lists that are among them.
#}

-- name: in_buckets
{#
about = "one row per range of `rows` and bucket of positions that it has a part of, with the first of its buckets"
#}
select c.document, c.start, c.stop, c.first, {{ sql.series("c.first", "c.last") }} as bucket
from (
    select distinct
        c.document,
        c.start,
        c.stop,
        cast(floor({{ double("c.start") }} / w.width) as bigint) as first,
        cast(floor({{ double("(c.stop - 1)") }} / w.width) as bigint) as last
    from {{ rows }} as c
    cross join bucket_width as w
    where c.start < c.stop
) as c

-- name: in_corpus
{#
about = "the join of rows `r` of lists with the chunks that they are: of their range and, if both tables have ids, their id"
#}
left join (
    select distinct c.document, c.start, c.stop{{ ", c.item_id" if corpus_by_id }}
    from given_corpus as c
) as c on c.document = r.document and c.start = r.start and c.stop = r.stop{{ " and c.item_id = r.item_id" if corpus_by_id }}
