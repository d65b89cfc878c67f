{#
message = "sample: user_id is {kind}, which engines write out in different ways; cast it to a whole number or to text, for the same users to be drawn everywhere"
place = 2
#}
select
    {{ sentence(kind=sql.type_of("a.user_id")) }} as message
from sampled as a
where {{ sql.is_written_differently("a.user_id") }}
order by a.user_id asc
limit 1
