{#
message = "{truth}: {column} is 0 or less in {found} of {rows} rows, but is not read, so that these would count as relevant; relevance='{column}' reads it, and relevance=None counts every row{swapped}"
place = 4
on = ["given_truth"]
when = "unread"
#}
{% set question = "case when " ~ scores_are_grades() ~ " then '; or are the tables swapped? recommendations come first' else '' end" %}
select
    {{ sentence(column=literal(unread), found="n.low", rows="n.stated", swapped=question if swapped == "score" else "''") | indent }} as message
from (select count(*) as stated, count(case when t.unread <= 0 then 1 end) as low from given_truth as t) as n
where n.low > 0 and n.low * 100 >= n.stated
