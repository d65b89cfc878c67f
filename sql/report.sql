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
