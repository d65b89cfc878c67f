{#
message = "{predictions}: no rating has a prediction; check the ids, and that not every prediction is NULL"
place = 6
on = ["rating_counts"]
#}
select
    {{ sentence() | indent }} as message
from (select sum(n.pairs) as pairs, count(*) as models from rating_counts as n) as n
where coalesce(n.pairs, 0) = 0{{ " or n.models < " ~ tables.predictions.models | length if tables.predictions.models }}
