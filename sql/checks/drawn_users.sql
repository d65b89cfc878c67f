{#
message = "sample: user_id is {kind}, which engines convert to text differently; cast it to a whole number or to text so that every engine draws the same users"
place = 2
on = ["sampled"]
#}
{# One row, also where nobody is drawn. #}
select
    {{ sentence(kind=sql.type_of("n.user_id")) | indent }} as message
from (select min(a.user_id) as user_id from sampled as a) as n
where {{ sql.is_written_differently("n.user_id") }}
