{# The segments that every comparison has: which of two models have a list of the user, and how many relevant items there are. #}
select
    u.user_id as {{ user }},
    case
        when u.has_model and u.has_baseline then 'of both'
        when u.has_model then 'of ' || {{ model }} || ' only'
        when u.has_baseline then 'of ' || {{ baseline }} || ' only'
        else 'of neither'
    end as {{ list }},
    case when u.relevant < 2 then cast(u.relevant as varchar) when u.relevant < 4 then '2 to 3' else '4 or more' end as {{ relevant }}
from (
    select
        p.user_id,
        bool_or(p.model = {{ model }} and p.list_length > 0) as has_model,
        bool_or(p.model = {{ baseline }} and p.list_length > 0) as has_baseline,
        max(p.relevant) as relevant
    from {{ values }} as p
    where p.model in ({{ model }}, {{ baseline }})
    group by p.user_id
) as u
