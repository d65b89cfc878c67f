{# The users with lists of both models for whom these differ most, in either direction. #}
select d.user_id, d.value, d.baseline_value, d.difference, d.place <= {{ most }} as lowest
from (
    select
        p.user_id,
        p.value,
        b.value as baseline_value,
        p.value - b.value as difference,
        row_number() over (order by p.value - b.value asc, p.user_id asc) as place,
        row_number() over (order by p.value - b.value desc, p.user_id asc) as opposite
    from {{ values }} as p
    inner join {{ values }} as b on b.user_id = p.user_id
    where p.model = {{ model }} and b.model = {{ baseline }} and p.list_length > 0 and b.list_length > 0 and p.value <> b.value
) as d
where (d.place <= {{ most }} and d.difference < 0) or (d.opposite <= {{ most }} and d.difference > 0)
order by d.place asc
