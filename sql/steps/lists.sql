{#
row = "one row per model and user with a list"
#}
{% set folded = condition(duplicates="first last set") %}
{% set rank = choose("rank_by", score="null", otherwise="r.rank") %}
{% set recs = rendering.recs %}
{% set rank_by = ", r.rank_by" if "rank_by" not in options.known %}
{# DuckDB no longer knows how many groups there are: where lists are joined with more than the users, that costs more than it wins. #}
{% set counted_alone = rendering.readers("lists") == ["served"] and not inputs.modelled %}
{% set user = sql.not_narrowed("r.user_id") if counted_alone else "r.user_id" %}
{% set counted = "count(*)" if recs == "given_recs" else "count(r.item_id)" %}
{% if recs == "judged_recs" %}
{# A list of which nothing is left is still one. #}
{% set recs %}
(
    select r.model, r.user_id, r.item_id, r.rank{{ rank_by }}
    from judged_recs as r
    union all
    select distinct r.model, r.user_id, null as item_id, null as rank{{ rank_by }}
    from given_recs as r
    {{ condition(judged_only="true").where }}
)
{% endset %}
{% endif %}
{% if not folded.certain %}
select r.model, {{ user }}{{ " as user_id" if user != "r.user_id" }}, {{ counted }} as returned{{ ", max(" ~ rank ~ ") as last_rank" if rendering.reads("l.last_rank") }}
from {{ recs | trim }} as r
{{ folded.negated.where }}
group by r.model, {{ user }}
{% endif %}
{{ folded.union_all }}
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
