{#
row = "one row per user with relevant items: their gains, highest first, or these discounted"
plain_row = "one row per user with relevant items: the gains of the ideal list, from its top"
#}
select
    t.user_id{{ gains_down("t.gain") }}
from relevant as t
group by t.user_id
