{#
about = "the query for the earliest time with at most a fraction of all rows from it on"
grain = "interaction"
#}
select min(d.place)
from (
    select
        a.place,
        sum(count(*)) over (order by a.place desc) as later,
        sum(count(*)) over () as interactions
    from (
        select {{ names.order_by }} as place
        from {{ rows }} as t{% if again %}

        where t.part = 'train'{% endif %}

    ) as a
    group by a.place
) as d
where d.later <= cast({{ fraction if fraction is not none else 'null' }} as decimal(10, 9)) * d.interactions
