{#
Ranks, scores and orders of lists.
#}

-- name: is_no_rank
{#
about = "whether the rank of a row `r` of recs is not a whole number that starts at 1"
#}
{% set given = "r.given_rank" if named else "r.rank" %}
{% set rank = "recsql.number(r.given_rank)" if named else "r.rank" %}
(
    {{ rank }} is null
    or {{ rank }} < 1
    or {{ rank }} >= {{ whole }}
    or (
        {{ sql.type_of(given) }} not like '%INT%'
        and ({{ double(rank) }} % 1 <> 0 or {{ sql.is_nan(double(rank)) }})
    )
)

-- name: band_of_rank
{#
about = "the smallest cut-off that includes the rank of a row `r`, from the `bands` b"
also = "item"
#}
{# Ranks beyond the largest numeric cut-off belong to the whole list, if it is requested. #}
{% set band = sql.nth("b.cutoffs", "try_cast(r.rank as bigint)") %}
{{ "coalesce(" ~ band ~ ", " ~ whole ~ ")" if uncut else band }}

-- name: lower_ranks
{#
about = "the number of rows with a lower rank in the list of a row `r` for which `counted` is not NULL"
#}
count({{ counted }}) over (partition by {{ model(r) }}{{ r }}.user_id order by {{ r }}.rank asc)
- count({{ counted }}) over (
    partition by {{ model(r) }}{{ r }}.user_id
    order by {{ r }}.rank asc
    range between current row and current row
)

-- name: closed_recs
{#
about = "the rows of `rows` that meet the condition `kept`, with their ranks among these; `others` is the join of a row `r`, and `gone` the opposite of `kept`"
#}
select {{ model("o") }}o.user_id, o.item_id, o.rank - o.dropped as rank, o.score{{ ", o.rank_by" if any_order }}{{ further("o") }}
from (
    select
{% if modelled %}
        r.model,
{% endif %}
        r.user_id,
        r.item_id,
        r.rank,
        r.score,
{% if any_order %}
        r.rank_by,
{% endif %}
{% if further("r") %}
        {{ further("r")[2:] }},
{% endif %}
        {{ kept }} as {{ named_as }},
        {{ lower_ranks(r="r", counted="case when " ~ gone ~ " then 1 end") | indent(8) }} as dropped
    from {{ rows }} as r
    left join {{ others }}
) as o
where o.{{ named_as }}

-- name: score_down
{#
about = "a score `x`, turned so that the highest is the best"
#}
{{ x if order == "desc" else "-" ~ x }}

-- name: scores_are_grades
{#
about = "whether the scores of recs, or other numbers `of` rows `r`, are at most ten whole numbers, as grades are"
#}
{% set number, source = of if of is defined else ("r.score", "given_recs") %}
(
    select
        count(*) > 0
        and count(case when {{ number }} = floor({{ number }}) then 1 end) = count(*)
        and count(distinct case when {{ number }} = floor({{ number }}) then {{ number }} end) <= 10
    from {{ source }} as r
)

-- name: bits_set
{#
about = "a join that keeps only the rows of `r` whose item may be relevant to the user"
#}
{# Most files store a user's rows together, so this join is cheaper than looking up each user and item. Few rows are left. #}
inner join fingerprints as f
    on
        f.user_id = r.user_id
        and {{ sql.has_bit("f.bits", "r.item_id", 1) }}
        and {{ sql.has_bit("f.other_bits", "r.item_id", 2) }}

-- name: of_user
{#
about = "the columns of a user `u` of population: number of relevant items, profile of gains, length of the list"
#}
{% if profiled %}u.profile, {% endif %}{% if needs.entries %}u.entries, {% endif %}{% if needs.lengths %}u.returned, {% endif %}{% if needs.ranks %}u.ranks, {% endif %}u.relevant

-- name: items_without_data
{#
about = "one sentence on the model with the largest share of listed items that are not in the table `source`, if it is a `least`"
also = "item"
#}
select
    {{ sentence(found="n.found", rows="n.listed", model="coalesce(' of model ' || n.model, '')") | indent }} as message
from (
    select
        {{ model("r") }}count(*) as listed,
        count(case when i.item_id is null then 1 end) as found,
        avg(case when i.item_id is null then 1e0 else 0e0 end) as share
    from listed as r
    left join (select distinct g.item_id from {{ source }} as g) as i on i.item_id = r.item_id
    where r.rank <= {{ depth }}{% if modelled %}

    group by r.model{% endif %}

) as n
where n.share > {{ least }} and exists (select g.item_id from {{ source }} as g)
order by n.share desc{{ ", n.model asc nulls first" if modelled }}
limit 1
