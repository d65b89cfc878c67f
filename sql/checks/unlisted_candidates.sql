{#
message = "{recs}: {found} of {lists} lists lack candidates of their user, which count below all listed items; score every candidate"
warning = true
when = "candidates is not none and 'recs' in tables"
#}
select
    {{ sentence(found="n.lacking", lists="n.lists") | indent }} as message
from (
    select count(*) as lists, count(case when l.listed < d.candidates then 1 end) as lacking
    from (
        select {{ model("r") }}r.user_id, count(distinct c.item_id) as listed
        from given_recs as r
        left join candidate_items as c on c.user_id = r.user_id and c.item_id = r.item_id
        group by {{ model("r") }}r.user_id
    ) as l
    inner join (
        select c.user_id, count(distinct c.item_id) as candidates
        from given_candidates as c
        group by c.user_id
    ) as d on d.user_id = l.user_id
) as n
where n.lacking > 0
