{#
message = "{truth}: item {item} has gain {gain} for user {user}; scale the relevance so that gains lie between 1e-6 and 1e9, and raise those below 0 to 0"
place = 6
on = ["given_truth"]
when = """
needs.gains or ((bounds or target in ['hits', 'ideal'])
and (gain == 'map' or relevant == 'present' or not (relevance_threshold is none or relevance_threshold > 0)))"""
#}
{# A grade below 0 of err stops no reader, so only what adds gains up refuses it. #}
{% set added = bounds or needs.cg or needs.dcg or needs.idcg or needs.persistent_gain or target in ["hits", "ideal"] %}
{% set size = "t.gain" if added else "abs(t.gain)" %}
select
    {{ sentence(item="t.item_id", gain="t.gain", user="t.user_id") | indent }} as message
from (
    select t.user_id, t.item_id, {{ gain_of("t.relevance") | indent }} as gain
    from given_truth as t
    where {{ is_relevant() }}
) as t
where {{ size ~ " >= 1e9 or (t.gain <> 0 and " ~ size ~ " < 1e-6)" if needs.gains else "t.gain < 0" }}
order by t.user_id asc, t.item_id asc, message asc
limit 1
