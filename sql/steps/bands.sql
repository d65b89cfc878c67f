{#
row = "the one row: for each of the ranks 1, 2, ... the smallest cut-off that it is within, down to the largest number"
grain = "item"
#}
select {{ sql.ordered_list("n.k", "n.rank") }} as cutoffs
from (
    select i.i as rank, min(c.k) as k
    from {{ sql.whole_numbers(1, deepest) }} as i
    inner join cutoffs as c on c.k >= i.i
    group by i.i
) as n
