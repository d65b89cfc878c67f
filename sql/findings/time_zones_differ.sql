{#
about = "times have a time zone in one of truth and train only"
matters = "a time without a zone is read as UTC, so rows can be hours too early or too late"
advice = "say which zone is meant: ts at time zone 'Europe/Berlin'"
severity = "warning"
unit = "rows"
table = "truth"
own_column = true
needs = ["truth.timestamp", "train.timestamp", "times of one kind"]
when = "types['truth']['ts'].endswith('ZONE') != types['train']['ts'].endswith('ZONE')"
#}
select
    {{ sql.text("null") }} as model,
    {{ literal(tables.truth_times.columns.ts) }} as column_name,
    sum(u.truth_rows) as found,
    sum(u.truth_rows) as total,
    {{ literal(types.truth.ts ~ " in truth, " ~ types.train.ts ~ " in train") }} as example
from user_rows as u
{# rows #}
select t.user_id, t.item_id, t.ts
from truth_times as t
