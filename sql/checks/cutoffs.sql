{#
message = "k: a cut-off is a whole number from 1 to 1000000, or all; found {found}"
most = 1000000
place = 1
on = ["cutoffs"]
when = "named"
#}
select
    {{ sentence(found="coalesce(nullif(n.given, ''), 'none')") | indent }} as message
from (select unnest(case when len(recsql.names(«k»)) = 0 then [''] else recsql.names(«k») end) as given) as n
where recsql.cutoff(n.given) is null
limit 1
