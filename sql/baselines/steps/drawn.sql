{#
row = "one row per user and item drawn for them, with its place: by the first draw that gave it, or by a hash of each item"
grain = "baseline"
#}
{# Efraimidis and Spirakis 2006: the order by -ln(hash) / weight is that of draws without replacement. #}
{% set numbers = sql.whole_numbers(1, "(select coalesce(max(d.draws), 1) from draws as d)") %}
{% set of_draw = sql.text("d.user_id") ~ " || ':' || " ~ sql.text("i.i") ~ " || ':' || " ~ sql.text(seed) %}
{% set of_item = sql.text("d.user_id") ~ " || ':' || " ~ sql.text("p.item_id") ~ " || ':' || " ~ sql.text(seed) %}
select
    o.user_id,
    o.item_id,
    row_number() over (partition by o.user_id order by o.place asc, o.item_id asc) as place
from (
    select f.user_id, s.item_id, {{ double("min(f.i)") }} as place
    from (
        select d.user_id, i.i, {{ sql.group_of(of_draw, "d.total") }} as position
        from draws as d
        inner join {{ numbers }} as i on i.i <= d.draws
    ) as f
    inner join slots as s on s.position = f.position
    group by f.user_id, s.item_id
    union all
    select d.user_id, p.item_id, -ln(({{ double(sql.group_of(of_item, 2147483648)) }} + 5e-1) / 2147483648e0) / p.weight as place
    from draws as d
    cross join pool as p
    where d.draws is null
) as o
left join known_items as k on k.user_id = o.user_id and k.item_id = o.item_id
where k.item_id is null
