{#
row = "one row per row of recs, with its rank"
inline = true
also = "item fusion"
needs = ["whole_list if duplicates in ['first', 'last']"]

[options.rank_by]
about = "the column that orders a list; by default rank if there is one, else score"
topic = "ties"

[options.rank_by.values]
rank = "the column rank, starting at 1"
score = "the column score, the highest first unless order = 'asc'"
position = "the same as rank: in a LIST column, the position in the list"

[options.duplicates]
about = "what happens to an item that is in a list more than once"
topic = "duplicates"
default = "error"

[options.duplicates.values]
error = "an error, if the item is relevant"
first = "keeps its best rank, and later items move up"
hole = "keeps its best rank, and later copies keep theirs but are never hits"
count = "each copy counts"
set = "as hole, and the copies count once among the items returned"
last = "keeps its worst rank, and later items move up"
#}
{% macro ranks() %}
{% if by_rank %}
select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.rank as last" if unordered }}
from {{ recs }} as r{% if any_order %}

where r.rank_by = 'rank'{% endif %}{% if by_score %}

union all
{% endif %}
{% endif %}
{% if by_score %}
select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.last" if unordered }}
from scored as r{% endif %}
{% endmacro %}
{% if not closed %}
{{ ranks() }}
{% else %}
select {{ model("o") }}o.user_id, o.item_id, o.rank - o.dropped as rank{{ ", o.last - o.dropped as last" if unordered }}
from (
    select
{% if modelled %}
        c.model,
{% endif %}
        c.user_id,
        c.item_id,
        c.rank,
{% if unordered %}
        c.last,
{% endif %}
        c.copy,
        {{ lower_ranks(r="c", counted="case when c.copy > 1 then 1 end") | indent(8) }} as dropped
    from (
        select
{% if modelled %}
            r.model,
{% endif %}
            r.user_id,
            r.item_id,
            r.rank,
{% if unordered %}
            r.last,
{% endif %}
            row_number() over (
                partition by {{ model("r") }}r.user_id, r.item_id
                order by {{ "-try_cast(r.rank as bigint)" if duplicates == "last" else "r.rank" }} asc
            ) as copy
        from (
            {{ ranks() | indent(12) }}
        ) as r
    ) as c
) as o
where o.copy = 1
{% endif %}
