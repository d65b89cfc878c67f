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
{% set last = choose("duplicates", set="coalesce(max(i.last_rank), sum(i.copies))", otherwise="count(*) + max(i.last_rank) - sum(i.copies)") %}
select i.model, i.user_id, count(*) as returned{{ ", " ~ last ~ " as last_rank" if rendering.reads("l.last_rank") }}
from (
    select r.model, r.user_id, r.item_id, count(*) as copies, max({{ rank }}) as last_rank
    from given_recs as r
    {{ folded.where }}
    group by r.model, r.user_id, r.item_id
) as i
group by i.model, i.user_id
{% endif %}
