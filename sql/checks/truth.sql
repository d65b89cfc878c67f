{#
The rows of the truth: relevance, gains, repeated items, ranks and times.
#}

-- name: relevance
{#
message = "{truth}: `relevance` is {relevance} for user {user}, item {item}; give every row a number"
place = 4
on = ["given_truth"]
#}
select
    {{ sentence(relevance="t.relevance", user="t.user_id", item="t.item_id") | indent }} as message
from given_truth as t
where t.relevance is null{{ " or " ~ sql.is_nan("t.relevance") ~ " or " ~ sql.is_infinite("t.relevance") if not finite }}
order by t.user_id asc, t.item_id asc, message asc
limit 1

-- name: unweighted
{#
message = "it is not a sum over relevant items, so weights make no estimate of it; with weighting={weighting} take one of {others}"
#}

-- name: unnormalised
{#
message = "with weighting=snips, a sum is divided by that of all relevant items, and this metric has another denominator; take weighting=ips or one of {others}"
#}

-- name: propensity_source
{#
message = "weighting={weighting}: no default says how likely an item was to be seen; give either propensity=, a column of truth, or propensity_power= and train="
#}

-- name: propensity
{#
message = "{truth}: `{column}` is {propensity} for user {user}, item {item}; a propensity is at most 1 and at least 1e-9; correct it, or raise small ones with propensity_floor="
place = 5
on = ["given_truth"]
when = "weights_of_truth"
#}
{% set lowest = "is null or t.propensity < 1e-9" if propensity_floor is none else "< 0" %}
select
    {{ sentence(column=literal(propensity), propensity="t.propensity", user="t.user_id", item="t.item_id") | indent }} as message
from given_truth as t
where
    {{ is_relevant() }}
    and (t.propensity {{ lowest }} or t.propensity > 1 or {{ sql.is_nan("t.propensity") }})
order by t.user_id asc, t.item_id asc, message asc
limit 1

-- name: propensity_of_train
{#
message = "{train}: item {item} has a propensity of {propensity}, which is below 1e-9; lower propensity_power, or raise small ones with propensity_floor="
place = 5
on = ["item_propensities"]
when = "weights_of_train and propensity_floor is none"
#}
select
    {{ sentence(item="p.item_id", propensity="p.propensity") | indent }} as message
from item_propensities as p
where p.propensity < 1e-9
order by p.propensity asc, p.item_id asc
limit 1

-- name: propensity_without_train
{#
message = "{train}: it has no rows, so that no item has a propensity; give the interactions that users have had"
place = 5
on = ["item_propensities"]
#}
select
    {{ sentence() | indent }} as message
where not exists (select 1 as one from item_propensities as p)

-- name: relevance_not_read
{#
about = "the truth has a column that looks like a relevance and is not read"
matters = "every row counts as relevant, whatever its value"
advice = "read it with relevance='...', or say that every row counts with relevance=None; relevance_threshold=4 counts values from 4 on"
in_macro = "rename it to relevance in a view if it is; recsql macros --relevance-threshold 4 -o FILE counts values from 4 on"
severity = {error = "f.low >= 0.01 * f.total", note = "f.is_rating = 1", warning = "true"}
said = "error if at least 1 % of the values are 0 or less; note for ratings and stars"
unit = "rows"
table = "truth"
when = "unread or rated or named"
message = "{truth} has a column {column} that is not read, so every row counts as relevant; relevance='{column}' reads it"
warns = "unread and 'truth' in tables"
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
{# sentence #}
select
    {{ sentence(column=literal(unread)) | indent }} as message

-- name: unread_grades
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

-- name: duplicate_truth
{#
about = "a user and an item are in the truth several times"
matters = "the highest relevance counts, once"
advice = "keep one row per user and item, for example with max(relevance) and group by"
severity = {warning = "f.differing > 0", note = "true"}
said = "warning if the relevance differs, else note"
unit = "pairs"
table = "truth"
level = "full"
message = "{truth} has several judgements of {found} of a user and an item, and they differ; the highest counts"
warns = "repeated and graded and 'truth' in tables"
#}
select
    {{ sql.text("null") }} as model,
    count(*) as found,
    (select count(*) from given_truth as t) - sum(c.stated - 1) as total,
    min({{ sql.text("c.user_id") }} || ', ' || {{ sql.text("c.item_id") }}) as example,
    count(case when c.least < c.most then 1 end) as differing
from truth_copies as c
{# rows #}
select c.user_id, c.item_id, c.stated, c.least, c.most
from truth_copies as c
{# sentence #}
select
    {{ sentence(found="n.pairs || case when n.pairs = 1 then ' pair' else ' pairs' end") | indent }} as message
from (
    select count(*) as pairs
    from (
        select t.user_id, t.item_id
        from given_truth as t
        group by t.user_id, t.item_id
        having min(t.relevance) < max(t.relevance)
    ) as p
) as n
where n.pairs > 0

-- name: gain_map
{#
message = "gain_map: no gain for relevance {relevance} of user {user}, item {item}; add one"
place = 5
on = ["given_truth"]
when = "gain == 'map' and (needs.gains or target in ['hits', 'ideal'])"
#}
select
    {{ sentence(relevance="t.relevance", user="t.user_id", item="t.item_id") | indent }} as message
from given_truth as t
where
    {{ is_relevant() }}
    and {{ gain_map.of("t.relevance") if gain_map else "cast(null as double)" }} is null
order by t.user_id asc, t.item_id asc, t.relevance asc
limit 1

-- name: gains_out_of_range
{#
message = "{truth}: item {item} has gain {gain} for user {user}; scale the relevance so that gains lie between 1e-6 and 1e9, and raise those below 0 to 0"
place = 6
on = ["given_truth"]
when = """
needs.gains or ((bounds or target in ['hits', 'ideal'])
and (gain == 'map' or relevant == 'present' or not (relevance_threshold is none or relevance_threshold > 0)))"""
#}
{# A grade below 0 of err stops no reader, so only what adds gains up refuses it. #}
{% set added = bounds or needs.cg or needs.dcg or needs.idcg or needs.persistent_gain or target in ["hits", "ideal"] %}
{% set size = "t.gain" if added else "abs(t.gain)" %}
select
    {{ sentence(item="t.item_id", gain="t.gain", user="t.user_id") | indent }} as message
from (
    select t.user_id, t.item_id, {{ gain_of("t.relevance") | indent }} as gain
    from given_truth as t
    where {{ is_relevant() }}
) as t
where {{ size ~ " >= 1e9 or (t.gain <> 0 and " ~ size ~ " < 1e-6)" if needs.gains else "t.gain < 0" }}
order by t.user_id asc, t.item_id asc, message asc
limit 1

-- name: gain_overflow
{#
about = "2 to the power of the relevance is beyond any use"
matters = "one item outweighs all others"
advice = "use gain='linear' or gain='binary', or grades of a few steps"
severity = "error"
said = "error if gain is exp2 and a relevance is above 30"
unit = "rows"
table = "truth"
column = "relevance"
when = "graded and gain in ['exp2', 'exp2_shifted']"
#}
select
    {{ sql.text("null") }} as model,
    sum(case when {{ gain_of("v.relevance") }} > 1073741823 then v.stated end) as found,
    sum(v.stated) as total,
    {{ number_told("max(v.relevance)") }} as example
from truth_values as v
{# rows #}
select v.user_id, v.item_id, v.relevance
from given_truth as v
where {{ gain_of("v.relevance") }} > 1073741823

-- name: grades
{#
message = "{truth}: item {item} has `relevance` {relevance} for user {user}, above the highest grade {most}; set err_max_grade= to that of your scale"
in_macro = "{truth}: item {item} has `relevance` {relevance} for user {user}, above the highest grade {most}; set that of your scale with recsql macros --err-max-grade {most} -o FILE"
place = 6
on = ["given_truth"]
when = "needs.readings"
#}
select
    {{ sentence(item="t.item_id", relevance="t.relevance", user="t.user_id", most=err_max_grade) | indent }} as message
from (
    select t.user_id, t.item_id, t.relevance, {{ stop_chance(gain_of("t.relevance")) | indent }} as chance
    from given_truth as t
    where {{ is_relevant() }}
) as t
where t.chance > 1 - power(2e0, -{{ err_max_grade }})
order by t.user_id asc, t.item_id asc, message asc
limit 1

-- name: truth_rank
{#
message = "{truth}: `rank` is {rank} for user {user}, item {item}; truth_window and ideal='truth_as_given' need the position of each item, starting at 1, in the truth's column rank"
place = 4
on = ["given_truth"]
when = "truth_window in ['k', 'rank'] or ideal == 'truth_as_given'"
#}
select
    {{ sentence(rank="t.rank", user="t.user_id", item="t.item_id") | indent }} as message
from given_truth as t
where t.rank is null or t.rank < 1
order by t.user_id asc, t.item_id asc, message asc
limit 1

-- name: leave_one_out
{#
message = "{truth}: user {user} has {found} relevant items; truth_check='leave_one_out' needs exactly one per user"
place = 5
on = ["users"]
when = "truth_check == 'leave_one_out'"

[options.truth_check]
about = "what the truth must look like"
topic = "relevance"
default = "any"

[options.truth_check.values]
any = "anything"
leave_one_out = "one relevant item for each user, held out from what the models learnt from"
#}
select
    {{ sentence(user="t.user_id", found="coalesce(u.relevant, 0)") | indent }} as message
from given_truth as t
left join users as u on u.user_id = t.user_id
where u.relevant is null or u.relevant > 1
order by t.user_id asc
limit 1

-- name: no_truth
{#
message = "user {user} has no relevant item in {truth}; no_truth='error' does not allow that"
place = 8
on = ["users", "given_recs"]
when = "no_truth == 'error'"
#}
select
    {{ sentence(user="l.user_id") | indent }} as message
from (
    select r.user_id from given_recs as r
    union all
    select t.user_id from given_truth as t
) as l
left join users as u on u.user_id = l.user_id
where u.user_id is null
order by l.user_id asc
limit 1

-- name: relevance_looks_like_counts
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

-- name: relevance_looks_like_ratings
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

-- name: relevance_looks_like_time
{#
about = "the relevance looks like a time"
matters = "each row counts as relevant, and a later one as more relevant"
advice = "say that every row counts with relevance=None, or name the right column with relevance='...'"
in_macro = "leave the column out in a view, so that every row counts, or rename the right one to relevance there"
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

-- name: popularity_skew
{#
about = "1 % of the relevant items have more than 10 % of the relevant rows"
matters = "a model that recommends what is popular gets a good value without knowing anyone"
advice = "compare with recsql.popularity(train), and slice, or add novelty"
severity = "note"
unit = "rows"
table = "truth"
column = "item_id"
level = "full"
unless = "fewer than 100 items are relevant"
when = "not of_spans"
#}
select
    {{ sql.text("null") }} as model,
    case when s.items >= 100 and 10 * s.top > s.total then s.top end as found,
    s.total,
    'gini ' || {{ sql.text("round(2e0 * s.weighted / s.items / s.total - (s.items + 1e0) / s.items, 2)") }} as example
from (
    select
        max(i.items) as items,
        cast(sum(case when i.place <= floor(i.items / 1e2) then i.relevant_rows end) as bigint) as top,
        cast(sum(i.relevant_rows) as bigint) as total,
        {{ double("sum((i.items + 1 - i.place) * i.relevant_rows)") }} as weighted
    from relevant_items as i
) as s
{# rows #}
select i.item_id, i.relevant_rows
from relevant_items as i
where i.place <= floor(i.items / 1e2)

-- name: time_units_differ
{#
about = "the times of truth and train are in different units"
matters = "no time of one can be compared with a time of the other, so neither can a split be checked"
advice = "write both in one unit, as in to_timestamp(seconds) or make_timestamp(microseconds)"
severity = "error"
unit = "rows"
table = "truth"
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

-- name: time_zones_differ
{#
about = "times have a time zone in one of truth and train only"
matters = "a time without a zone is read as UTC, so rows can be hours too early or too late"
advice = "say which zone is meant: ts at time zone 'Europe/Berlin'"
severity = "warning"
unit = "rows"
table = "truth"
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

-- name: truth_before_train
{#
about = "relevant rows are earlier than rows of train"
matters = "the model was trained on what happened after the answers, which it would not know when it is used"
advice = "split at one point in time: recsql.split(interactions, protocol='temporal', fraction=0.2)"
severity = {error = "f.own > 0.01 * f.total", warning = "f.found > 0.01 * f.total and f.most > 1", note = "true"}
said = "error if more than 1 % of the rows are earlier than the last row of their own user in train, warning if than that of any user, else note"
unit = "rows"
table = "truth"
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
