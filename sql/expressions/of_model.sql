{#
about = "the join of the parts `p` with the models `m`; for a model without lists in a part, the rows of no model stand"
#}
cross join {{ x }} as m
left join owners as o on o.part = p.part and o.model is not distinct from m.model
where
    case
        when p.has_lists then p.model is not distinct from m.model
        else o.part is null
    end
