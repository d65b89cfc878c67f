{#
row = "one row per row of recs, with its rank"
inline = true
also = "item"

[options.rank_by]
about = "the column that orders a list; by default rank if there is one, else score"
topic = "ties"
reference = "coalesce(rank_by, r.rank_by)"

[options.rank_by.values]
rank = "the column rank, starting at 1"
score = "the column score, the highest first"
position = "the same as rank: in a LIST column, the position in the list"

[options.duplicates]
about = "what happens to an item that is in a list more than once"
topic = "duplicates"
default = "error"
whole_list = ["first", "last"]

[options.duplicates.values]
error = "an error, if the item is relevant"
first = "keeps its best rank, and later items move up"
hole = "keeps its best rank, and later copies keep theirs but are never hits"
count = "each copy counts"
set = "as hole, and the copies count once among the items returned"
last = "keeps its worst rank, and later items move up"
#}
{% set by_score = condition(rank_by="score") %}
{% set tied = unordered() %}
{% set closed = condition(duplicates="first last") %}
{% set copies = "count(case when c.copy > 1 then 1 end)" %}
{% set ranks %}
{% if not by_score.certain %}
select r.model, r.user_id, r.item_id, r.rank{{ ", r.rank as last" if tied.possible }}
from {{ rendering.recs }} as r
{{ by_score.negated.where }}
{% endif %}
{{ by_score.union_all }}
{% if by_score.possible %}
select r.model, r.user_id, r.item_id, r.rank{{ ", r.last" if tied.possible }}
from scored as r
{% endif %}
{% if rendering.ranks_counted %}
union all
select c.model, c.user_id, c.item_id, c.rank
from counted as c
{% endif %}
{% endset %}
{% if not closed.possible %}
{{ ranks }}
{% else %}
{% if not closed.certain %}
select r.model, r.user_id, r.item_id, r.rank{{ ", r.last" if tied.possible }}
from (
    {{ ranks | trim | indent }}
) as r
{{ closed.negated.where }}
{% endif %}
{{ closed.union_all }}
select o.model, o.user_id, o.item_id, o.rank - o.dropped as rank{{ ", o.last - o.dropped as last" if tied.possible }}
from (
    select
        c.model,
        c.user_id,
        c.item_id,
        c.rank,
{% if tied.possible %}
        c.last,
{% endif %}
        c.copy,
        -- rows with the same rank do not come before this one
        {{ copies }} over (partition by c.model, c.user_id order by c.rank asc)
        - {{ copies }} over (partition by c.model, c.user_id, c.rank) as dropped
    from (
        select
            r.model,
            r.user_id,
            r.item_id,
            r.rank,
{% if tied.possible %}
            r.last,
{% endif %}
            row_number() over (
                partition by r.model, r.user_id, r.item_id
                order by {{ choose("duplicates", last="-try_cast(r.rank as bigint)", otherwise="r.rank") }} asc
            ) as copy
        from (
            {{ ranks | trim | indent(12) }}
        ) as r
        {{ closed.where }}
    ) as c
) as o
where o.copy = 1
{% endif %}
