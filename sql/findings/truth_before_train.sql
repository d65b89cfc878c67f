{#
about = "relevant rows are earlier than rows of train"
matters = "the model was trained on what happened after the answers, which it would not know when it is used"
advice = "split at one point in time: recsql.split(interactions, protocol='temporal', fraction=0.2)"
severity = {error = "f.own > 0.01 * f.total", warning = "f.found > 0.01 * f.total and f.most > 1", note = "true"}
said = "error if more than 1 % of the rows are earlier than the last row of their own user in train, warning if than that of any user, else note"
unit = "rows"
table = "truth"
own_column = true
needs = ["train.user_id", "truth.timestamp", "train.timestamp", "times of one kind"]
level = "full"
unless = "each user has one relevant row, which is later than theirs in train (leave one out): then it is a note"
#}
select
    {{ sql.text("null") }} as model,
    {{ literal(tables.truth_times.columns.ts) }} as column_name,
    case when c.own > 0.01 * c.total then c.own else c.before end as found,
    c.total,
    c.own,
    c.most,
    case when c.own > 0.01 * c.total then c.own_example else c.example end as example
from (
    select
        cast(sum(u.own) as bigint) as own,
        cast(sum(u.before) as bigint) as before,
        cast(sum(u.events) as bigint) as total,
        max(u.events) as most,
        min(case when u.own > 0 then 'user ' || {{ sql.text("u.user_id") }} end) as own_example,
        min(case when u.before > 0 then 'user ' || {{ sql.text("u.user_id") }} end) as example
    from (
        select
            t.user_id,
            count(case when t.ts < o.ts then 1 end) as own,
            count(case when t.ts < a.ts then 1 end) as before,
            count(*) as events
        from truth_times as t
        left join (select r.user_id, max(r.ts) as ts from train_times as r group by r.user_id) as o on o.user_id = t.user_id
        cross join (select max(r.ts) as ts from train_times as r) as a
        where {{ is_relevant() }}
        group by t.user_id
    ) as u
) as c
{# rows #}
select t.user_id, t.item_id, t.ts, o.ts as last_in_train
from truth_times as t
left join (select r.user_id, max(r.ts) as ts from train_times as r group by r.user_id) as o on o.user_id = t.user_id
cross join (select max(r.ts) as ts from train_times as r) as a
where t.ts < a.ts and {{ is_relevant() }}
