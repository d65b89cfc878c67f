{#
about = "the times of truth and train are in different units"
matters = "no time of one can be compared with a time of the other, so neither can a split be checked"
advice = "write both in one unit, as in to_timestamp(seconds) or make_timestamp(microseconds)"
severity = "error"
unit = "rows"
table = "truth"
own_column = true
needs = ["truth.timestamp", "train.timestamp"]
level = "full"
when = "not times_alike or types['truth']['ts'][:4] not in ['DATE', 'TIME']"
#}
select
    {{ sql.text("null") }} as model,
    {{ literal(tables.truth_times.columns.ts) }} as column_name,
{% if times_alike %}
    case when abs(t.mean - r.mean) > ln(3e2) then t.events end as found,
    t.events as total,
    {{ sql.text("t.example") }} || ' in truth, ' || {{ sql.text("r.example") }} || ' in train' as example
from (select avg(ln({{ double("t.ts") }})) as mean, count(*) as events, min(t.ts) as example from truth_times as t where t.ts > 0 and t.ts < 1e300) as t
cross join (select avg(ln({{ double("t.ts") }})) as mean, min(t.ts) as example from train_times as t where t.ts > 0 and t.ts < 1e300) as r
{% else %}
    count(*) as found,
    count(*) as total,
    {{ literal(types.truth.ts ~ " in truth, " ~ types.train.ts ~ " in train") }} as example
from truth_times as t
{% endif %}
{# rows #}
select t.user_id, t.item_id, t.ts
from truth_times as t
