{#
message = "baseline: {baseline} is not among the models of {recs}; {hint}choose one of {models}"
place = 2
on = ["model_pairs"]
when = "not baseline is none"
#}
select
    {{ sentence(baseline="m.baseline", hint=sql.nearest("m.baseline", "m.models"), models=sql.listing("m.models")) | indent }} as message
from (
    select
        {{ literal(baseline) }} as baseline,
        {{ sql.ordered_list("n.model", "n.model") }} as models
    from models as n
    where n.model is not null
) as m
left join models as o on o.model = m.baseline
where o.model is null{{ " and m.baseline is not null" if named }}
