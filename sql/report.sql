{#
The queries of the report that no other function answers: single lists, single users, and the histograms of its
charts.
#}

-- name: bins
{# How the values of single users are distributed: one row per model and bin. Bin 0 has the users with the value 0. #}
with
spread as (
    select least(0, min(p.value)) as lowest, greatest(1, max(p.value)) as highest
    from {{ values }} as p
)

select
    p.model,
    case
        when p.value = 0 then 0
        else 1 + least({{ bins - 1 }}, cast(floor((p.value - s.lowest) / (s.highest - s.lowest) * {{ bins }}) as int))
    end as bin,
    count(*) as users,
    any_value(s.lowest) as lowest,
    any_value(s.highest) as highest
from {{ values }} as p
cross join spread as s
where p.value is not null
group by p.model, bin
order by p.model asc nulls first, bin asc

-- name: cases
{# The users with lists of both models for whom these differ most, in either direction. #}
select d.user_id, d.value, d.baseline_value, d.difference, d.place <= {{ most }} as lowest
from (
    select
        p.user_id,
        p.value,
        b.value as baseline_value,
        p.value - b.value as difference,
        row_number() over (order by p.value - b.value asc, p.user_id asc) as place,
        row_number() over (order by p.value - b.value desc, p.user_id asc) as opposite
    from {{ values }} as p
    inner join {{ values }} as b on b.user_id = p.user_id
    where p.model = {{ model }} and b.model = {{ baseline }} and p.list_length > 0 and b.list_length > 0 and p.value <> b.value
) as d
where (d.place <= {{ most }} and d.difference < 0) or (d.opposite <= {{ most }} and d.difference > 0)
order by d.place asc

-- name: lists
{# The top k of some users in the lists of each model, and which items are hits. #}
select
    {{ model_of("r") }},
    {{ sql.text("r.user_id") }} as user_id,
    {{ said_item("r") }} as item_id,
    h.user_id is not null as is_hit
from recommended as r
left join {{ "(select distinct " ~ model("h") ~ "h.user_id, h.rank from hits_in_force as h)" if of_spans else "hits_in_force" }} as h
    on {{ same_model("h", "r") }}h.user_id = r.user_id and {{ "h.item_id = r.item_id and " if not of_spans }}h.rank = r.rank
where r.user_id in ({{ of_users }})
order by {{ model("r") }}r.user_id asc, r.rank asc

-- name: longest
{# The number of items in the longest list of each model. #}
select l.model, max(l.items) as longest
from (
    select r.model, r.user_id, count(*) as items
    from (
        {{ recs | indent(8) }}
    ) as r
    group by r.model, r.user_id
) as l
group by l.model

-- name: missed
{# The relevant items that the lists of a model miss most often. #}
select
    {{ said_item("t") }} as item_id,
    count(*) as users,
    count(h.item_id) as hits,
    coalesce(max(l.lists), 0) as lists
from relevant as t
left join hits_in_force as h on h.user_id = t.user_id and h.item_id = t.item_id and {{ of_model("h") }}
left join (
    select r.item_id, count(*) as lists
    from recommended as r
    where {{ of_model("r") }}{{ " and false" if of_spans }}
    group by r.item_id
) as l on l.item_id = t.item_id
group by {{ said_item("t") if of_spans else "t.item_id" }}
order by count(*) - count(h.item_id) desc, count(*) desc, {{ said_item("t") }} asc
limit {{ most }}

-- name: popularity
{# The most popular items of each user of the truth; the scores order them as the ranks do. #}
select n.user_id, n.item_id, n.rank, cast({{ "0 - " if descending }}n.rank as double) as score
from offered as n
inner join cutoffs as c on c.k >= n.rank
where n.user_id in (select g.user_id from given_users as g) and {{ measurable() }}

-- name: planned
{# The sentences on a plan, up to three for each of its first six rows. #}
{% macro share(x) %}case when {{ x }} > 0 and {{ x }} < 5e-3 then 'under 1' else printf('%.0f', 100 * {{ x }}) end || ' %'{% endmacro %}
{% macro at_margin(x) %}{{ "''" if plan__margin is none else "printf('o show a difference of %g, ', " ~ plan__margin ~ ") || " ~ x }}{% endmacro %}
select unnest(list_filter([
    case
        when p.users < 2 then p.at || ': one user shows no difference; give more.'
        when p.std_difference = 0 then p.at || ': the lists have one value for all users; nothing can be planned from them.'
        else format('With {:,} users, a difference in {} of {:.4f} or more would be shown in {}, ', p.users, p.at, p.detectable, '{{ cases }}')
        || {% if wins is not none %}'if ' || {{ share(wins) }} || ' of users win and ' || {{ share(losses) }} || ' lose.'{% else %}coalesce('as the values of ' || p.model || ' and ' || p.baseline, 'if the values of two models') || coalesce(printf(' correlate by %g.', round(p.correlation, 2)), ' do not correlate.'){% endif %}

    end,
    case p.verdict
        when 'enough' then 'T' || {{ at_margin("format('{:,} users are needed: enough.', p.users_needed)") }}
        when 'too_few' then p.at || ': t' || {{ at_margin("format('{:,} users are needed; there are {:,}.', p.users_needed, p.users)") }}
        when 'no_room' then format('{}: the best lists would have {:.4f}, and only a difference of {:.4f} would be shown: no room.', p.at, p.ideal, p.detectable)
    end,
{% if measured %}
    case when p.baseline is null then coalesce(p.model, 'The model') || format(' has {:.4f}', p.value) || coalesce(printf('; the best lists would have %g', round(p.ideal, 4)), '') || '. ' || {{ share("p.zero_share") }} || ' of users have 0' || coalesce(', ' || {{ share("p.best_share") }} || ' the best value', '') || '.' end
{% else %}
    printf('The best lists would have %g.{{ " Without lists, a mean of %g is assumed, and users who differ as much as they can." if wins is none }}', round(p.ideal, 4){{ ", p.value" if wins is none }})
{% endif %}
], lambda x: x is not null)) as line
from (select v.*, v.metric || coalesce('@' || v.k, '') as at from {{ values }} as v limit 6) as p

-- name: ranked
{# The sentences on ranks: of each metric, then those on all. #}
{# The models of a list in words: of more than six, the first three. #}
{% macro joined(list) %}
case
    when len({{ list }}) > 6 then array_to_string({{ list }}[:3], ', ') || ' and ' || (len({{ list }}) - 3) || ' others'
    when len({{ list }}) > 1 then array_to_string({{ list }}[:-2], ', ') || ' and ' || {{ list }}[-1]
    else {{ list }}[1]
end
{%- endmacro %}
{% macro some(condition) %}coalesce(list(v.model order by v.turn asc) filter (where {{ condition }}), []){% endmacro %}
{% macro first(x) %}max(case when v.turn = 1 then {{ x }} end){% endmacro %}
{% set varied = "data sets" if vary == "datasets" else "users" %}
with named as (
    select v.* replace (coalesce(v.model, 'the model') as model), v.metric || coalesce('@' || v.k, '') as at
    from {{ values }} as v
),

told as (
    select
        v.at,
        v.place,
        count(v.rank) as models,
        max(v.datasets) as datasets,
        case when max(v.datasets) > 1 then format(', the mean of {} data sets', max(v.datasets)) else '' end as over,
        {{ first("v.model") }} as leader,
        {{ first("v.rank_high") }} as leader_high,
        {{ first("v.borda_rank") }} as leader_points,
        coalesce({{ first("v.behind") }}, []) as behind,
        {{ some("v.turn > 1 and v.first is distinct from 1") }} as alike,
        {{ some("v.borda_rank = 1") }} as by_points,
        {{ some("v.rank is null") }} as unranked,
        count(case when v.turn > 1 and v.last is distinct from v.turn - 1 then 1 end) as neighbours,
        sum(v.untested) // 2 as untested,
        max(v.unpaired) as unpaired,
        max(v.dropped) as dropped,
        bool_or(v.few) as few
    from named as v
    group by v.at, v.place
),

told_tiers as (
    select t.at, t.place, count(*) as tiers, string_agg(t.models, ' | ' order by t.tier asc) as members
    from (
        select v.at, v.place, v.tier, string_agg(v.model, ', ' order by v.turn asc) as models
        from named as v
        where v.tier is not null
        group by v.at, v.place, v.tier
    ) as t
    group by t.at, t.place
)

select unnest(list_filter(flatten(list([
    case
        when t.models = 1 then 'One model: nothing to compare.'
        when t.leader_high = 1
            then format('{} is the best of {} models on {}{}: it is shown to be better than each of the others.', t.leader, t.models, t.at, t.over)
        when t.models > 1
            then format('{} has the best {} of {} models{}, but it can''t be told apart from ', t.leader, t.at, t.models, t.over)
                || {{ joined("t.alike") | indent(16) }} || '.'
    end,
    case
        when t.models > 1 and n.tiers = 1 then format('The {} models can''t be told apart: all are of one tier.', t.models)
        when t.models > 24 then format('There are {} tiers. Models of one tier can''t be told apart.', n.tiers)
        when t.models > 1 then format('Tiers: {}. Models of one tier can''t be told apart.', n.members)
    end,
    case
        when t.models > 2 and t.neighbours > 0
            then format('{} of {} neighbouring models can''t be told apart.', t.neighbours, t.models - 1)
    end,
    case
        when t.models > 1 and t.datasets > 1 and t.leader_points > 1
            then 'By Borda points, ' || {{ joined("t.by_points") | indent(12) }}
                || case when len(t.by_points) > 1 then ' are first.' else ' is first.' end
    end,
    case when t.datasets > 1 then array_to_string(list_filter(t.behind, lambda x: x is not null)[:3], ' ') end,
    case
        when len(t.unranked) > 0
            then format('No value of {} on some data set, so no rank: ', t.at) || {{ joined("t.unranked") | indent(12) }} || '.'
    end,
    case when t.unpaired > 0 then format('Left out, because not every model has a value of {}: {:,} users.', t.at, t.unpaired) end,
    case
        when t.untested > 0 then format('Untested on {}: {} of {} pairs of models.', t.at, t.untested, t.models * (t.models - 1) // 2)
    end
] order by t.place asc, t.at asc)) || [
    case
        when max(t.models) > 1
            then format('Ranks: [low, high] holds for all {} models at once, ', max(t.models))
                || 'for {{ "%g" | format(100 * interval) }} % of samples of {{ varied }} like these'
{% if vary == "datasets" %}
                || ' ' || max(t.datasets) || '.'
{% else %}
                || case when max(t.datasets) > 1 then '; the data sets are taken as given.' else '.' end
{% endif %}
    end,
{% if scored and vary == "users" %}
    'The scores have no values per user. The models are compared as if each had users of its own; '
    || 'with values per user, intervals would be narrower.',
{% elif scored %}
    'The scores have no values per user, so the data sets are taken as a sample.',
{% else %}
    case when max(t.datasets) > 1 then 'The same user id in two data sets is two users.' end,
{% endif %}
{% if rank__missing == "common" %}
    'Left out, because not every model has a value on them: ' || max(t.dropped) || '.',
{% endif %}
    case when bool_or(t.few) then '* few {{ varied }}: intervals of ranks may be too narrow.' end
], lambda x: x <> '')) as line
from told as t
left join told_tiers as n on n.at = t.at and n.place = t.place

-- name: scores
{# Values per user or scores, with a data set, a metric and a cut-off in each row. #}
{# In a result of evaluate, a row without a data set is a mean over these. #}
select
    cast(v.model as varchar) as model,
    coalesce(cast(v.dataset as varchar), '') as dataset,
    cast(v.user_id as varchar) as user_id,
    coalesce(cast(v.metric as varchar), 'value') as metric,
    coalesce(cast(v.k as integer), {{ whole }}) as k,
    cast(v.value as double) as value,
    cast(v.std_error as double) as given_error,
    cast(v.users as bigint) as users
from {{ values }} as v
where v.value is not null{{ " and v.dataset is not null" if datasets }}

-- name: unfit_scores
{# What is wrong with values per user or scores, the first problem first. #}
{% macro problem(place, sentence) %}
select {{ place }} as place, {{ sentence }} as problem
from {{ values }} as v
{% endmacro %}
{% set of_dataset = "coalesce(' on data set ' || nullif(v.dataset, ''), '')" %}
select p.problem
from (
    {{ problem(1, "'it has no values; give a row per model'") | indent }}
    having count(*) = 0
    union all
    {{ problem(2, "'model" ~ (", user_id" if of_users else "") ~ " or value is NULL, NaN or infinite in some rows; correct or leave out these'") | indent }}
    where v.model is null or not isfinite(v.value){{ " or v.user_id is null" if of_users }}
    union all
    select
        3 as place,
        'model ' || v.model || ' has two values' || {{ "' of user ' || v.user_id || " if of_users }}{{ of_dataset }}
        || ' for one metric and k; leave one of them out' as problem
    from {{ values }} as v
    group by v.model, v.user_id, v.dataset, v.metric, v.k
    having count(*) > 1
    union all
    select
        4 as place,
        'it has ' || count(distinct v.model) || ' models and ' || count(distinct v.dataset)
        || ' data sets, and at most 1000 and 10000 are ranked; give fewer' as problem
    from {{ values }} as v
    having count(distinct v.model) > 1000 or count(distinct v.dataset) > 10000
{% if rank__missing == "error" %}
    union all
    select
        5 as place,
        'model ' || m.model || ' has no value of ' || v.metric || {{ of_dataset }}
        || '; add it, or give missing=''leave_out'' or missing=''common''' as problem
    from (select distinct v.metric, v.k, v.dataset from {{ values }} as v) as v
    cross join (select distinct v.model from {{ values }} as v) as m
    anti join {{ values }} as o on o.model = m.model and o.metric = v.metric and o.k = v.k and o.dataset = v.dataset
{% endif %}
    union all
    {{ problem(6, "v.metric || ' is not a mean over users; give scores with std_error'") | indent }}
    where v.given_error is null and split_part(v.metric, '@', 1) in ('{{ of_lists | join("', '") }}')
    {{ "and v.users is not null" if not of_users }}
{% if of_users and "rank__correlation" in given %}
    union all
    {{ problem(7, "'the values of each user tell how models correlate; leave correlation= out'") | indent }}
{% elif not of_users %}
    union all
    select
        8 as place,
        v.metric || ' has values beyond 0 to 1, of which a number of users tells no error; give std_error' as problem
    from {{ values }} as v
    group by v.metric
    having
        (min(v.value) < 0 or max(v.value) > 1)
        and count(case when v.given_error is null and v.users is not null then 1 end) > 0
    union all
    {{ problem(9, "'std_error is below 0 or users below 1 in some rows; correct these'") | indent }}
    where v.given_error < 0 or v.users < 1
{% if given.get("vary") == "users" %}
    union all
    select
        10 as place,
        'it has neither std_error nor users in some rows, so no users vary; add one of them, or give vary=''datasets''' as problem
    from {{ values }} as v
    where v.given_error is null and v.users is null
{% endif %}
{% endif %}
) as p
order by p.place asc, p.problem asc
limit 1

-- name: repeats
{# The number of relevant rows of the truth, and how many of them their user has in train already. #}
select count(*) as items, count(p.user_id) as known
from (
    {{ tables.truth.select | indent }}
) as t
left join (
    select distinct p.user_id, p.item_id
    from (
        {{ tables.train.select | indent(8) }}
    ) as p
) as p on {{ sql.text("p.user_id") }} = {{ sql.text("t.user_id") }} and {{ sql.text("p.item_id") }} = {{ sql.text("t.item_id") }}
where {{ is_relevant() }}

-- name: segments
{# The segments that every comparison has: which of two models have a list of the user, and how many relevant items there are. #}
select
    u.user_id as {{ user }},
    case
        when u.has_model and u.has_baseline then 'of both'
        when u.has_model then 'of ' || {{ model }} || ' only'
        when u.has_baseline then 'of ' || {{ baseline }} || ' only'
        else 'of neither'
    end as {{ list }},
    case when u.relevant < 2 then cast(u.relevant as varchar) when u.relevant < 4 then '2 to 3' else '4 or more' end as {{ relevant }}
from (
    select
        p.user_id,
        bool_or(p.model = {{ model }} and p.list_length > 0) as has_model,
        bool_or(p.model = {{ baseline }} and p.list_length > 0) as has_baseline,
        max(p.relevant) as relevant
    from {{ values }} as p
    where p.model in ({{ model }}, {{ baseline }})
    group by p.user_id
) as u

-- name: floor
{# The values that a condition such as ndcg@10.low < 0.02 is about: whether each fails, and a sentence. A value that is NULL fails. #}
select
    coalesce(v.value {{ sign }} {{ limit }}, true) as fails,
    case when fails then 'Failed' else 'Passed' end
    || ': ' || v.at || '{{ "." ~ what if what != "value" }}' || coalesce(' of ' || v.model, '') || v.segment || ' is '
    || coalesce(printf('%.6g', v.value) || ', which is ' || case when fails then '' else 'not ' end || '{{ sign }} {{ limit }}', 'not known')
    || '.' as line
from (
    select
        r.model,
        r.metric || coalesce('@' || r.k, '') as at,
        {{ "coalesce(' in ' || r.slice || ' = ' || coalesce(r.segment, '(none)'), '')" if sliced else "''" }} as segment,
        cast(r.{{ what }} as double) as value
    from {{ values }} as r
    where {{ metric }} in (r.metric, r.metric || coalesce('@' || r.k, '')) and r.model is distinct from {{ baseline }}
) as v

-- name: worst
{# The users who lose most in each comparison at one metric and cut-off; `sign` is 1 if high values are better, else -1. #}
select d.* exclude (place)
from (
    select
        d.*,
        row_number() over (partition by d.model, d.baseline order by {{ sign }} * d.difference asc, d.{{ user }} asc) as place
    from {{ values }} as d
    where d.metric = {{ metric }} and d.k is not distinct from {{ k }} and {{ sign }} * d.difference < 0
) as d
where d.place <= {{ most }}
order by d.model asc nulls first, d.baseline asc nulls first, d.place asc

-- name: wanted
{# The relevant items of some users, those with the highest gain first. #}
select {{ sql.text("t.user_id") }} as user_id, {{ said_item("t") }} as item_id
from relevant as t
where t.user_id in ({{ of_users }})
order by t.user_id asc, t.gain desc, t.item_id asc
