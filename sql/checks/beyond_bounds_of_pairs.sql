{#
place = 10
on = ["paired_sums"]
when = "not (named or sparse)"
#}
select d.beyond_bounds as message
from paired_sums as d
where d.beyond_bounds is not null
order by d.k asc
limit 1
