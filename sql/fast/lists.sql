{#
buys = "see doubtful_recs: the recommendations are grouped by user once instead of twice"
when = "not folded and not closed_up"
#}
select {{ model("n") }}n.user_id, n.returned{{ ", n.last_rank" if lengths_count }}
from list_ranks as n
