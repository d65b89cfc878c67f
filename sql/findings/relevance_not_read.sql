{#
about = "the truth has a column that looks like a relevance and is not read"
matters = "every row counts as relevant, whatever its value"
advice = "read it with relevance='...', or say that every row counts with relevance=None; relevance_threshold=4 counts values from 4 on"
severity = {error = "f.low >= 0.01 * f.total", note = "f.is_rating = 1", warning = "true"}
said = "error if at least 1 % of the values are 0 or less; note for ratings and stars"
unit = "rows"
table = "truth"
own_column = true
when = "unread or rated"
#}
select
    {{ sql.text("null") }} as model,
    count(*) as found,
    count(*) as total,
    {{ sql.text("null") }} as example,
    {{ literal(unread or rated) }} as column_name,
    {{ 1 if rated else 0 }} as is_rating,
    {{ "count(case when t.unread <= 0 then 1 end)" if unread else "0" }} as low
from given_truth as t
{# rows #}
select t.user_id, t.item_id{{ ", t.unread as " ~ sql.quote(unread) if unread }}
from given_truth as t
