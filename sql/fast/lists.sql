{#
buys = "TODO"
when = "not folded and not judged_alone"
#}
select {{ model("n") }}n.user_id, n.returned{{ ", n.last_rank" if lengths_count }}
from list_ranks as n
