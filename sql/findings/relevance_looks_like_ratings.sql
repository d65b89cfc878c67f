{#
about = "the relevance looks like a rating"
matters = "low ratings count as relevant, too"
advice = "count good ratings only, such as those from 4 on with relevance_threshold=4"
severity = "warning"
said = "warning if the largest value is 5, 10 or 100, at least 5 % of rows are in the lower half, and the least value is not the most frequent"
unit = "rows"
table = "truth"
column = "relevance"
unless = "the gain is binary or mapped, or relevance_threshold is given"
when = "graded and gain not in ['binary', 'map'] and relevance_threshold is none"
#}
{% set middle = "v.most / 2" %}
select
    {{ sql.text("null") }} as model,
    case
        when max(v.most) in (5, 10, 100) and max(case when v.relevance = v.least then v.stated end) < max(v.stated)
            and sum(case when v.relevance <= {{ middle }} then v.stated end) >= 0.05 * sum(v.stated)
            then sum(case when v.relevance <= {{ middle }} then v.stated end)
    end as found,
    sum(v.stated) as total,
    {{ number_told("min(v.least)") }} as example
from (
    select v.*, min(v.relevance) over () as least, max(v.relevance) over () as most
    from truth_values as v
) as v
{# rows #}
select t.user_id, t.item_id, t.relevance
from given_truth as t
where t.relevance <= (select max(v.relevance) / 2 from truth_values as v)
