{#
row = "one row per model and user with a list"
#}
{% set folded = condition(duplicates="first last set") %}
{% set rank = choose("rank_by", score="null", otherwise="r.rank") %}
{% if not folded.certain %}
select r.model, r.user_id, count(*) as returned{{ ", max(" ~ rank ~ ") as last_rank" if rendering.reads("l.last_rank") }}
from given_recs as r
{{ folded.negated.where }}
group by r.model, r.user_id
{% endif %}
{{ folded.union_all }}
{% if folded.possible %}
select i.model, i.user_id, count(*) as returned{{ ", max(i.last_rank) as last_rank" if rendering.reads("l.last_rank") }}
from (
    select r.model, r.user_id, r.item_id, {{ choose("duplicates", set="max(" ~ rank ~ ")", otherwise="null") }} as last_rank
    from given_recs as r
    {{ folded.where }}
    group by r.model, r.user_id, r.item_id
) as i
group by i.model, i.user_id
{% endif %}
