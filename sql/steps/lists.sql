{#
row = "one row per model and user with a list"
#}
{% set judged = condition(judged_only="true") %}
{% set folded = condition(duplicates="first last set") %}
{% set plain = folded.negated if rendering.recs == "given_recs" else folded.negated | both(judged.negated) %}
{% set rank = choose("rank_by", score="null", otherwise="r.rank") %}
{% set recs = rendering.recs %}
{% set counted = "count(*)" if recs == "given_recs" else "count(r.item_id)" %}
{% if recs == "judged_recs" %}
{% set rank_by = ", r.rank_by" if "rank_by" not in options.known %}
{# A list whose items are all removed is still a list. #}
{% set recs %}
(
    select r.model, r.user_id, r.item_id, r.rank{{ rank_by }}
    from judged_recs as r
    union all
    select distinct r.model, r.user_id, null as item_id, null as rank{{ rank_by }}
    from given_recs as r
    {{ judged.where }}
)
{% endset %}
{% endif %}
{% if plain.possible %}
select n.model, n.user_id, n.returned{{ ", n.last_rank" if rendering.reads("l.last_rank") }}
from list_ranks as n
{{ plain.where }}
{% endif %}
{{ plain.union_all }}
{% if rendering.recs == "judged_recs" and judged.possible and not folded.certain %}
select r.model, r.user_id, {{ counted }} as returned{{ ", max(" ~ rank ~ ") as last_rank" if rendering.reads("l.last_rank") }}
from {{ recs | trim }} as r
{{ (judged | both(folded.negated)).where }}
group by r.model, r.user_id
{{ folded.union_all }}
{% endif %}
{% if folded.possible %}
{% set last = choose("duplicates", set="coalesce(max(i.last_rank), sum(i.copies))", otherwise="count(i.item_id) + max(i.last_rank) - sum(i.copies)") %}
select i.model, i.user_id, count(i.item_id) as returned{{ ", " ~ last ~ " as last_rank" if rendering.reads("l.last_rank") }}
from (
    select r.model, r.user_id, r.item_id, {{ counted }} as copies, max({{ rank }}) as last_rank
    from {{ recs | trim | indent }} as r
    {{ folded.where }}
    group by r.model, r.user_id, r.item_id
) as i
group by i.model, i.user_id
{% endif %}
