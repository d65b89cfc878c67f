{#
row = "a single row: for each rank 1, 2, ... the smallest cut-off that includes it, up to the largest numeric cut-off"
grain = "item"
#}
select {{ sql.ordered_list("n.k", "n.rank") }} as cutoffs
from (
    select i.i as rank, min(c.k) as k
    from {{ sql.whole_numbers(1, deepest) }} as i
    inner join cutoffs as c on c.k >= i.i
    group by i.i
) as n
