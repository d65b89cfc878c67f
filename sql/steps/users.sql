{#
row = "one row per user with something relevant, and what his ideal lists are made of"
#}
select
    t.user_id,
{% if rendering.reads("u.gains") %}
    {{ sql.sorted_down("t.gain") }} as gains,
{% endif %}
{% if rendering.reads("u.entries") %}
    {{ sql.ranked_gains("t.truth_rank", "t.gain") }} as entries,
{% endif %}
{% if rendering.reads("u.best_gain") %}
    max(t.gain) as best_gain,
{% endif %}
    count(*) as relevant
from relevant as t
group by t.user_id
