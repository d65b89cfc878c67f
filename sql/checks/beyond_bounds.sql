{#
message = "{metric} has values from {least} to {most}, beyond its bounds {bounds}; correct the expression or the bounds in sql/metrics/{file}.sql"
place = 10
on = ["per_user"]
when = "not (named or parts) and (target in ['evaluate', 'partial'] or (pair_sums and sparse))"
#}
select t.beyond_bounds as message
from totals as t
where t.beyond_bounds is not null
order by t.k asc
limit 1
