{# The ideal list in the top k, with the running sum of its discounted gains. #}
select
    {{ as_given("o.user_id") }},
    {{ as_given("o.item_id") }},
    o.rank,
    o.relevance,
    o.gain,
    {{ discount_at("o.rank") }} as discount,
    {{ sql.of_units("sum(" ~ sql.in_units("o.gain * " ~ discount_at("o.rank")) ~ ") over (partition by o.user_id order by o.rank asc)") }} as idcg
from (
    select
        t.user_id,
        t.item_id,
        j.relevance,
        t.gain,
        row_number() over (partition by t.user_id order by t.gain desc, t.item_id asc) as rank
    from relevant as t
    inner join judged as j on j.user_id = t.user_id and j.item_id = t.item_id
) as o
inner join cutoffs as c on c.k >= o.rank
where {{ measurable() }}
