{#
about = "the join of the parts `p` with the models `m`; a part without lists of a model has rows of a model without lists, which stand for it"
#}
cross join {{ x }} as m
left join owners as o on o.part = p.part and o.model is not distinct from m.model
where
    case
        when p.has_lists then p.model is not distinct from m.model
        else o.part is null
    end
