{#
row = "one row per hit and rank that it can have among tied items: the probability of the rank, and the expected values there"
#}
{# McSherry and Najork 2008: each tied item has each of the tied ranks with the same probability. #}
{% set deepest = "(select cast(max(f.last) as bigint) from found as f)" if needs.whole_list or uncut else depth %}
{% set places %}
(
    partition by {{ model("o") }}o.user_id, o.item_id, o.first
    order by o.place asc
    rows between unbounded preceding and 1 preceding
)
{%- endset %}
select
{% if modelled %}
    o.model,
{% endif %}
    o.user_id,
    {{ read_of("tied_hits", ["o.item_id", "o.gain", "o.copies", "o.place"]) }},
    o.first - 1 + o.place as rank,
    o.before + 1 + (o.place - 1) * (o.together - 1) / {{ double("greatest(o.items - 1, 1)") }} as nth,
    1e0 / o.items as probability,
    case
        when o.before = 0
            then
                coalesce(
                    {{ sql.running_product("(o.items - o.together - o.place + 1e0) / (o.items - o.place + 1)", places) | indent(20) }},
                    1e0
                )
                / (o.items - o.place + 1)
        else 0e0
    end as leads
from (
    select
{% if modelled %}
        b.model,
{% endif %}
        b.user_id,
        b.item_id,
        b.gain,
        b.copies,
        b.rank as first,
        b.last - b.rank + 1 as items,
        b.before,
        b.together,
        i.i - b.rank + 1 as place
    from (
        select
{% if modelled %}
            f.model,
{% endif %}
            f.user_id,
            f.item_id,
            f.gain,
            f.copies,
            f.rank,
            f.last,
            rank() over (partition by {{ model("f") }}f.user_id order by f.rank asc) - 1 as before,
            count(*) over (partition by {{ model("f") }}f.user_id, f.rank) as together
        from found as f
    ) as b
    inner join {{ sql.whole_numbers(1, deepest) }} as i on i.i between b.rank and b.last
) as o
