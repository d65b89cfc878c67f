{#
row = "one row per hit: the number of items above it that are judged not relevant"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    p.user_id,
    p.nth,
    p.above
from (
    select
{% if modelled %}
        o.model,
{% endif %}
        o.user_id,
        o.nth,
        count(case when o.nth is null then 1 end) over (partition by {{ model("o") }}o.user_id order by o.rank asc) as above
    from (
        select {{ model("h") }}h.user_id, h.rank, h.nth
        from hits as h
        union all
        select {{ model("r") }}r.user_id, r.rank, null as nth
        from rejected as r
    ) as o
) as p
where p.nth is not null
