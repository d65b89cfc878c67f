{#
row = "one row per user with something relevant, his gains best first"
#}
{% set uncut = condition(ideal="truth_uncut") | either(rendering.depth_above(sql.most_of_top())) %}
select
    t.user_id,
{% if rendering.reads("u.gains") %}
    {{ uncut.then(sql.sorted_down("t.gain"), sql.top("t.gain", depth)) }} as gains,
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
