{#
row = "one row per user with something relevant, his gains best first"
#}
select
    t.user_id,
    count(*) as relevant,
{% if rendering.reads("u.gains") %}
    {{ sql.sorted_down("t.gain") }} as gains,
{% endif %}
{% if rendering.reads("u.entries") %}
    {{ sql.ranked_gains("t.truth_rank", "t.gain") }} as entries,
{% endif %}
    max(t.gain) as best_gain
from relevant as t
group by t.user_id
