{#
row = "one row per user with relevant items: their gains, highest first, or these discounted"
#}
select
    t.user_id{{ gains_down("t.gain") }}
from relevant as t
group by t.user_id
