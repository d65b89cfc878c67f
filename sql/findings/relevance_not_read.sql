{#
about = "the truth has a column that looks like a relevance and is not read"
matters = "every row counts as relevant, whatever its value"
advice = "read it with relevance='...', or say that every row counts with relevance=None; relevance_threshold=4 counts values from 4 on"
severity = {error = "f.low >= 0.01 * f.total", note = "f.is_rating = 1", warning = "true"}
said = "error if at least 1 % of the values are 0 or less; note for ratings and stars"
unit = "rows"
table = "truth"
own_column = true
when = "unread or rated or named"
#}
{% if named %}
select
    {{ sql.text("null") }} as model,
    n.stated as found,
    n.stated as total,
    {{ sql.text("null") }} as example,
    (select min(c.name) from table_columns as c where c.role = 'truth' and lower(c.name) = n.name) as column_name,
    case when n.name in ('{{ likely.rated | join("', '") }}') then 1 else 0 end as is_rating,
    case when n.name in ('{{ likely.unread | join("', '") }}') then n.low else 0 end as low
from likely_relevance as n
{% else %}
select
    {{ sql.text("null") }} as model,
    count(*) as found,
    count(*) as total,
    {{ sql.text("null") }} as example,
    {{ literal(unread or rated) }} as column_name,
    {{ 1 if rated else 0 }} as is_rating,
    {{ "count(case when t.unread <= 0 then 1 end)" if unread else "0" }} as low
from given_truth as t
{% endif %}
{# rows #}
select t.user_id, t.item_id{{ ", t.unread as " ~ sql.quote(unread) if unread }}
from given_truth as t
