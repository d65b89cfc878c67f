{#
about = "relevant rows are in train as well"
matters = "the model has seen the answers; if it leaves out what users have seen, these cannot be hit"
advice = "split again so that each row is in one of them, as recsql.split does, or take the rows of the truth out of train"
severity = {error = "f.leaked > 0.5 * f.total", warning = "f.leaked > 0.01 * f.total", note = "true"}
said = "error above 50 %, warning above 1 %, else note"
unit = "rows"
table = "truth"
needs = ["train.user_id"]
level = "full"
unless = "the rows of the truth are later: then they repeat, which is a note"
#}
select
    {{ sql.text("null") }} as model,
    case when r.leaked > 0.01 * r.total then r.leaked else r.found end as found,
    r.total,
    r.leaked,
    r.example
from (
    select
        cast(sum(r.events) as bigint) as found,
        cast(sum(case when r.later = 0 then r.events else 0 end) as bigint) as leaked,
        (select cast(sum(u.relevant_rows) as bigint) from user_rows as u) as total,
        min('user ' || {{ sql.text("r.user_id") }} || ', item ' || {{ sql.text("r.item_id") }}) as example
    from repeats as r
) as r
{# rows #}
select r.user_id, r.item_id, r.events as truth_rows, r.later
from repeats as r
