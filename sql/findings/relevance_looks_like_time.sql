{#
about = "the relevance looks like a time"
matters = "each row counts as relevant, and a later one as more relevant"
advice = "say that every row counts with relevance=None, or name the right column with relevance='...'"
severity = "error"
said = "every value is above 1e8"
unit = "rows"
table = "truth"
column = "relevance"
unless = "the gain is binary or mapped, or relevance_threshold is given"
when = "graded and gain not in ['binary', 'map'] and relevance_threshold is none"
#}
select
    {{ sql.text("null") }} as model,
    case when min(v.relevance) > 1e8 then sum(v.stated) end as found,
    sum(v.stated) as total,
    {{ number_told("min(v.relevance)") }} as example
from truth_values as v
{# rows #}
select t.user_id, t.item_id, t.relevance
from given_truth as t
where t.relevance > 1e8
