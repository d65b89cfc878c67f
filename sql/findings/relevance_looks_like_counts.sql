{#
about = "the relevance looks like a count of plays, clicks or purchases"
matters = "a few large counts outweigh everything else in cg, dcg and ndcg"
advice = "count each item as 1 with gain='binary', or take the logarithm of the counts"
severity = "warning"
said = "warning if the largest value is above 100 and there are more than 50 values"
unit = "rows"
table = "truth"
column = "relevance"
unless = "the gain is binary or mapped, or relevance_threshold is given"
when = "graded and gain not in ['binary', 'map'] and relevance_threshold is none"
#}
select
    {{ sql.text("null") }} as model,
    case when max(v.relevance) > 100 and max(v.relevance) <= 1e8 and count(*) > 50 then sum(v.stated) end as found,
    sum(v.stated) as total,
    {{ number_told("max(v.relevance)") }} as example
from truth_values as v
{# rows #}
select t.user_id, t.item_id, t.relevance
from given_truth as t
where t.relevance > 100
