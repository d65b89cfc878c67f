{#
What is wrong with the input: the sentences of the checks.

Goes in: the steps of the query that checks look at. Comes out: problems, no row or one row with the reason why the
input can't be measured, and warnings, one row per warning.
#}
{% set repeats_from = "doubtful_recs" if fast else "given_recs" %}

-- name: unbroken (fast)
{#
row = "one row per length of a list: the hash of the ranks 1, 2, ... up to that length"
#}
select i.i as returned, bit_xor({{ sql.salted_hash("i.i") }}) over (order by i.i asc) as ranks
from {{ sql.whole_numbers(1, "(select max(n.returned) from list_ranks as n)") }} as i

-- name: unproven (fast)
{#
row = "one row per list that may not have each of the ranks 1, 2, ... once: the hash of its ranks differs"
safe = "a list with other ranks has the same hash with a chance of 1 in 10^19, and now() salts the hashes, so that nobody can make one; it is one moment for the whole query"
#}
{# Zobrist 1970. #}
{% if from_lists %}
{# The positions in a single LIST are 1, 2, ... A user with two LISTs has repeated ranks. #}
select {{ model("n") }}n.user_id
from list_ranks as n
where n.last_rank < n.returned
{% else %}
select {{ model("n") }}n.user_id
from list_ranks as n
left join unbroken as b on b.returned = n.returned and b.ranks = n.ranks
where b.returned is null
{% endif %}

-- name: unproven_recs (fast)
{#
row = "one row per item of an unproven LIST"
#}
select {{ model("r") }}r.user_id, {{ sql.items_of("r.items") }}
from given_lists as r
inner join unproven as o on {{ same_model("o", "r") }}o.user_id = r.user_id

-- name: rank_bands (fast)
{#
row = "one row per unproven list and band of ranks with fewer distinct ranks than rows; a band has one bit per rank"
#}
{% set rank = "try_cast(r.rank as bigint)" %}
select {{ model("r") }}r.user_id, {{ sql.band_of(rank) }} as band
from {{ "unproven_recs" if from_lists else "given_recs" }} as r
inner join unproven as o on {{ same_model("o", "r") }}o.user_id = r.user_id
{% if any_order %}
where r.rank_by = 'rank'
{% endif %}
group by {{ model("r") }}r.user_id, {{ sql.band_of(rank) }}
having {{ sql.bit_count("bit_or(" ~ sql.bit_of(rank) ~ ")") }} < count(*)

-- name: doubtful_recs (fast)
{#
row = "one row per row of recs in a band of ranks that may have one twice"
buys = "six metrics of 10 million rows take 0.9 CPU seconds instead of 3.0, as only lists whose ranks are not 1, 2, ... are grouped by rank"
inline = true
#}
select r.*
from {{ "unproven_recs" if from_lists else "given_recs" }} as r
inner join rank_bands as b
    on {{ same_model("b", "r") }}b.user_id = r.user_id and b.band = {{ sql.band_of("try_cast(r.rank as bigint)") }}

-- name: repeated_ranks
{#
row = "one row per list and rank that several items have"
#}
{# The option duplicates is about copies of one item; they are repeated ranks only if each copy counts. #}
select {{ model("r") }}r.user_id, r.rank, min(r.item_id) as one, max(r.item_id) as other
from {{ repeats_from }} as r
{% if any_order %}
where r.rank_by = 'rank'
{% endif %}
group by {{ model("r") }}r.user_id, r.rank
having min(r.item_id) <> max(r.item_id){{ " or count(*) > 1" if duplicates == "count" }}

-- name: problems
{#
row = "one row with the reason if the input can't be measured"
#}
select {{ sql.of_first("p.message", "p.place") }} as message
from (
{% if not named %}
    select 0 as place, {{ sql.text("null") }} as message
    where false
{% endif %}
{% for check in checks() %}
{% if named %}
{% set row = "select " ~ check.place ~ (" as place" if loop.first else "") ~ ", c.message from" %}
    {{ "union all " if not loop.first }}{{ check.text | replace("union all\n", "union all ") | replace("select c.message\nfrom", row) | indent }}
{% else %}
    union all
    select {{ check.place }} as place, p.message
    from (
        {{ check.text | indent(8) }}
    ) as p
{% endif %}
{% endfor %}
) as p
having count(*) > 0

-- name: warnings
{#
row = "one row per warning about input that can be measured: the check, and its sentence"
#}
{% for name, text in warnings() %}
select {{ literal(name) }} as finding, w.message
from (
    {{ text | indent }}
) as w
{{ "union all" if not loop.last }}
{% endfor %}
