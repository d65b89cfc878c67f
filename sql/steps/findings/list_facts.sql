{#
row = "one row per list: its length, the ends of its ranks and scores, and a hash of its top k"
#}
{# The hash of a hash, because DuckDB's hash of two values is an xor of theirs: without it, the order of the items would not count.
   The xor of a list in which each row is there twice is 0. #}
select
    {{ model("r") }}r.user_id,
    count(*) as items,
    max(r.place) as last_place,
    count(r.score) as scores,
    max({{ score_down("r.score") }}) as best,
    min({{ score_down("r.score") }}) as least,
    max(case when r.place = 1 then {{ score_down("r.score") }} end) as first_score,
    max(case when r.place = {{ depth }} then r.score end) as score_at_k,
    max(case when r.place = {{ depth }} + 1 then r.score end) as score_below_k,
    nullif(
        bit_xor(case when r.place <= {{ depth }} then {{ sql.hash_of(sql.hash_of("r.item_id, cast(r.place as bigint)")) }} end), 0
    ) as top
from list_items as r
group by {{ model("r") }}r.user_id
