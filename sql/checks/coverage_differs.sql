{#
message = "{model} and {baseline}{more} have lists for different users: {own} and {others} of the {users} with truth, {shared} in common; check that no list is missing"
warning = true
on = ["given_paired"]
when = "pairs_reported"
#}
{# The pair that differs for the most users, if that is more than 1 % of those with a list. #}
{% set more = "case when c.pairs > 1 then ' (and ' || " ~ sql.text("c.pairs - 1") ~ " || ' more)' else '' end" %}
select
    {{ sentence(model="c.model", baseline="c.baseline", own="c.own", others="c.others", users="c.users", shared="c.shared", more=more) | indent }} as message
from (
    select
        p.*,
        count(*) over () as pairs,
        row_number() over (order by p.own + p.others - 2 * p.shared desc nulls last, p.model asc nulls first, p.baseline asc nulls first) as place
    from (
        select
            p.model,
            p.baseline,
            max(p.users_with_truth) as users,
            max(p.all_lists - p.lists_without_truth) as own,
            max(p.base_all_lists - p.base_lists_without_truth) as others,
            max(p.shared_lists) as shared
        from given_paired as p
        group by p.model, p.baseline
    ) as p
    where p.own + p.others - 2 * p.shared > 1e-2 * (p.own + p.others - p.shared)
) as c
where c.place = 1
