{#
The results of evaluate, per_user, hits, ideal and rank_by_score, and the counts and warnings beside them.
#}

-- name: evaluate
{# The means over users, with their intervals. With `counted`, also the counts of the report. #}
{% set sizes, size = ("census", "users") if user_metrics else ("list_segments", "lists") %}
{% set counts = ["n.users_with_truth", "n.lists as all_lists", "n.lists_without_truth", "n.longest_list"] + (["n.tied_lists"] if ties_counted else []) + (["n.idle_truth"] if truth_counted else []) %}
{# Of the users in the mean `s` among all users `a`; of the lists `l`, if the value is not a mean. #}
{% set share = double("s.users") ~ " / nullif(a.users, 0)" %}
{% set conditions = [measurable() if checked, "(s.slice = 0 or coalesce(m." ~ size ~ ", 0) >= " ~ min_users ~ ")" if small] | select | list %}
{# A group of items is a segment of the column that it is from; with slices of users, the two are crossed. #}
{% set all_users = sql.text("null") %}
{% set slice, segment = (name_of_slice("s.slice"), "s.segment") if sliced else (all_users, all_users) %}
{% set within = ("coalesce(" ~ slice ~ " || ' x ', '') || ", "case when s.slice = 0 then '' else coalesce(s.segment, '(none)') || ' / ' end || ") if sliced else ("", "") %}
{% macro of_group(items, users) %}{{ "case when s.item_group is not null then " ~ items ~ (" else " ~ users if users) ~ " end" if group_metrics else users }}{% endmacro %}
{% if sliced or itemised %}
select
    {{ model_of("s") }},
    {{ of_group(within[0] ~ literal(grouped_by), slice) }} as slice,
    {{ of_group(within[1] ~ "s.item_group", segment) if sliced or not group_metrics else "s.item_group" }}{{ " as segment" if group_metrics or not sliced }},
    s.metric,
    {{ as_k("s.k") }},
    s.value,
    s.users,
    s.lists,
{% if not sliced %}
    {{ "case when s.item_group is null then 1e0 end" if group_metrics else "1e0" }} as share{% elif item_metrics or group_metrics %}
    case
{% if group_metrics %}
        when s.item_group is not null then null
{% endif %}
        when s.users is null then coalesce(l.share, 0e0)
        else {{ share }}
    end as share{% else %}
    {{ share }} as share{% endif %}{% if spread %},
    i.low,
    i.high,
    i.std_error,
    i.few{% endif %}{% if not named %},
    s.definition{% endif %}{% if counted %},
    {{ "c.users" if user_metrics else "cast(null as bigint)" }} as users_in_mean,
    {{ counts | join(",\n    ") }}{% if small %},
    (select count(*) from {{ sizes }} as f where {{ same_model("f", "s") }}f.slice > 0 and f.{{ size }} < {{ min_users }}) as segments_left_out{% endif %}{% endif %}

{% else %}
select {{ model_of("s") }}, s.metric, {{ as_k("s.k") }}, s.value, s.users, s.lists{% if spread %}, i.low, i.high, i.std_error, i.few{% endif %}{{ ", i.df, i.is_scored, i.effective_users, i.least, i.most" if combined }}{{ ", s.definition" if not named }}{% if counted %}, {{ "c.users" if user_metrics else "cast(null as bigint)" }} as users_in_mean, {{ counts | join(", ") }}{% endif %}

{% endif %}
from summary as s
{% if sliced %}
left join summary as a on {{ same_model("a", "s") }}a.slice = 0 and a.{{ "metric = s.metric" if named else "place = s.place" }} and a.k = s.k{{ " and a.item_group is not distinct from s.item_group" if group_metrics }}
{% endif %}
{% if small %}
left join {{ sizes }} as m on {{ on_keys("m", "s") }}
{% endif %}
{% if sliced and (item_metrics or group_metrics) %}
left join list_segments as l on {{ on_keys("l", "s") }}
{% endif %}
{% if spread %}
inner join intervals as i on {{ same_keys("i", "s") }}i.place = s.place and i.k = s.k
{% endif %}
{% if counted %}
left join report as n on {{ on_model("n", "s") }}
{% if user_metrics %}
left join census as c on {{ on_model("c", "s") }}{{ " and c.slice = 0" if sliced }}
{% endif %}
{% endif %}
{% if conditions %}
where {{ conditions | join(" and ") }}
{% endif %}
{% if sliced %}
order by
{% if modelled %}
    {{ turn("s.model") }} asc nulls first,
{% endif %}
{% if group_metrics %}
    case when s.item_group is null then 0 else 1 end asc,
{% endif %}
    s.slice asc,
    {{ order_of_segment("s") }}{{ by_size("s.segment") | indent }},
    s.segment asc nulls last,
{% if group_metrics %}
    s.item_group asc,
{% endif %}
    {{ place_in_call("s") }} asc,
    s.k asc
{% else %}
order by {{ turn("s.model") ~ " asc nulls first, " if modelled }}{{ "s.item_group asc nulls first, " if group_metrics }}{{ place_in_call("s") }} asc, s.k asc
{% endif %}

-- name: counted
{# Who is counted, a row per model. #}
select
    {{ model_of("n") }},
    n.users_with_truth,
    n.lists - n.lists_without_truth as users_with_list,
    {{ double("n.lists - n.lists_without_truth") }} / nullif(n.users_with_truth, 0) as share,
    n.lists_without_truth
from report as n
where {{ measurable() }}
order by n.model asc nulls first

-- name: dataset_means
{# The intervals of the means over data sets. #}
select s.model, s.metric, s.k, s.definition, i.low, i.high, i.std_error, i.few
from dataset_spreads as s
left join intervals as i on i.place = s.place

-- name: evaluate_joined
{# The rows of several pipelines, in the order of the call. #}
select q.model{{ ", q.slice, q.segment" if sliced or itemised }}, q.metric, q.k, q.value, q.users, q.lists{{ ", q.share" if sliced or itemised }}{% if spread %}, q.low, q.high, q.std_error, q.few{% endif %}, q.definition

from (
{% filter indent(4, first=true) %}{% include "targets/compare.sql: union" %}{% endfilter %}
) as q
order by
    {{ turn("q.model") }} asc nulls first,
{% if itemised and not sliced %}
    q.slice asc nulls first,
    q.segment asc nulls first,
{% elif sliced %}
    case q.slice{% for one in slices %} when {{ literal(one.name) }} then {{ one.place }}{% endfor %} else {{ "case when q.slice is null then 0 else " ~ (slices | length + 1) ~ " end" if itemised else 0 }} end asc,
{% if slices | selectattr("labels") | list %}
    case q.slice{% for one in slices %}{% if one.labels %}

        when {{ literal(one.name) }} then case q.segment{% for label in one.labels %} when {{ literal(label) }} then {{ loop.index }}{% endfor %} end{% endif %}{% endfor %}

    end asc nulls last,
{% endif %}
    {{ by_size("q.segment") | indent }},
    q.segment asc nulls last,
{% endif %}
    case q.metric
{% for column in numbered %}
        when {{ literal(column.heading) }} then {{ column.order }}
{% endfor %}
    end asc,
    q.k asc

-- name: per_user
{# One row per model, user and cut-off, with a column per metric. #}
select
    {{ model_of("s") }},
    {{ as_given("s.user_id") }},
    {{ as_k("s.k") }},
    s.list_length,
    s.relevant{% for one in slices %},
    {{ segments_told(one) }}{% endfor %}{% for column in user_columns %}{% if column.shown %},
    s.{{ column.name }}{{ " as " ~ column.title if column.title != column.name }}{% endif %}{% endfor %}

from per_user as s
{% if segmented %}
left join segment_lists as g on g.user_id = s.user_id
{% endif %}
where
    {{ measurable() }}{% if checked %}

    and {{ beyond_bounds(columns=user_columns, least="s.{}", most="s.{}", failing=true) | indent }} is null{% endif %}

{% if zero_ideal == "skip" %}
    and s.is_counted
{% endif %}
{% if not keyed %}
order by {{ turn("s.model") ~ " asc nulls first, " if modelled }}s.user_id asc, s.k asc
{% endif %}

-- name: per_user_joined
{# The columns of several pipelines side by side. list_length and relevant come from a pipeline with the options of the call, if there is one. #}
{% macro first_of(name, numbers) %}{{ "coalesce(" if numbers | length > 1 }}{% for i in numbers %}q{{ i }}.{{ name }}{{ ", " if not loop.last }}{% endfor %}{{ ")" if numbers | length > 1 }}{% endmacro %}
{% set all = range(1, queries | length + 1) | list %}
select
    {{ first_of("model", all) }} as model,
    {{ first_of("user_id", all) }} as {{ user_column }},
    {{ "cast(nullif(" ~ first_of("k", all) ~ ", " ~ whole ~ ") as integer)" if uncut else first_of("k", all) }} as k,
    {{ first_of("list_length", ordinary_first) }} as list_length,
    {{ first_of("relevant", ordinary_first) }} as relevant{% for one in slices %},
    {{ first_of(one.title, all) }} as {{ one.title }}{% endfor %}{% for column in numbered %},
    q{{ column.number }}.{{ column.title }}{% endfor %}

from (
{{ queries[0] | indent(4, first=true) }}
) as q1
{% for query in queries[1:] %}
{% set q = "q" ~ (loop.index + 1) %}
{% set before = all[:loop.index] %}
full join (
{{ query | indent(4, first=true) }}
) as {{ q }} on {{ q }}.model is not distinct from {{ first_of("model", before) }} and {{ q }}.user_id = {{ first_of("user_id", before) }} and {{ q }}.k = {{ first_of("k", before) }}
{% endfor %}
order by {{ turn(first_of("model", all)) }} asc nulls first, {{ first_of("user_id", all) }} asc, {{ first_of("k", all) }} asc

-- name: hits
{# Every recommended row in the top k, with the values of its list up to that rank; then the relevant items that it misses. #}
{% set all = named or missed == "true" %}
{% if of_spans %}
{{ rows_and_spans() }}
{% else %}
select
    {{ model_of("o") }},
    {{ as_given("o.user_id") }},{{ text_column() }}
    {{ as_given("o.item_id") }},
    o.rank,
{% if budgeted %}
    o.place,
{% endif %}
    o.relevance,
    o.gain,
    o.hit,
    o.hits,
    o.hits / {{ double("o.rank") }} as precision,
    o.discount,
    o.dcg{% if "titles" in tables and items is not none %},
    i.told as title{% endif %}{% if train is not none and all and not named %},
    n.item_id is not null as in_train{% endif %}

from (
    select
{% if modelled %}
        r.model,
{% endif %}
        r.user_id,
        r.item_id,
        try_cast(r.rank as bigint) as rank,
{% if budgeted %}
        r.place,
{% endif %}
        j.relevance,
        coalesce(h.gain, 0e0) as gain,
        h.nth is not null as hit,
        count(h.nth) over (partition by {{ model("r") }}r.user_id order by r.rank asc) as hits,
        {{ discount_at("r.rank") }} as discount,
        {{ sql.of_units("sum(" ~ sql.in_units("coalesce(h.gain, 0e0) * " ~ discount_at("r.rank")) ~ ") over (partition by " ~ model("r") ~ "r.user_id order by r.rank asc)") }} as dcg
    from {{ "spent" if budgeted else "recommended" }} as r
{# In a macro, max gives a row even without a cut-off: with no row, the join would end before the checks run. #}
    inner join {{ "(select max(c.k) as k from cutoffs as c)" if named else "cutoffs" }} as c on c.k >= r.{{ reach }}
    left join hits_in_force as h
        on {{ same_model("h", "r") }}h.user_id = r.user_id and h.item_id = r.item_id and h.rank = r.rank
    left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
{% if all %}
    union all
    select
{% if modelled %}
        n.model,
{% endif %}
        n.user_id,
        n.item_id,
        try_cast(n.rank as bigint) as rank,
{% if budgeted %}
        null as place,
{% endif %}
        j.relevance,
        n.gain,
        false as hit,
        null as hits,
        null as discount,
        null as dcg
    from missed as n
    inner join judged as j on j.user_id = n.user_id and j.item_id = n.item_id
{% endif %}
) as o{{ text_join("o.user_id") }}
{% if "titles" in tables and items is not none %}
left join (
    {{ tables.titles.select | indent }}
) as i on i.id = {{ sql.text("o.item_id") }}
{% endif %}
{% if train is not none and all and not named %}
left join train_items as n on n.item_id = o.item_id
{% endif %}
{% endif %}
where {{ measurable() }}{% if only_users %}

    and {{ sql.text("o.user_id") }} in ({{ only_users | map("sql_literal") | join(", ") }}){% endif %}{% if not named %}

order by {{ turn("o.model") ~ " asc nulls first, " if modelled }}o.user_id asc, o.rank asc{{ " nulls last, o.document asc, o.start asc" if of_spans else " nulls last, o.item_id asc" if all }}{% endif %}

-- name: ideal
{# The ideal list in the top k, with the running sum of its discounted gains. #}
select
    {{ as_given("o.user_id") }},
    {{ as_given("o.item_id") }},
    o.rank,
    o.relevance,
    o.gain,
    {{ discount_at("o.rank") }} as discount,
    {{ sql.of_units("sum(" ~ sql.in_units("o.gain * " ~ discount_at("o.rank")) ~ ") over (partition by o.user_id order by o.rank asc)") }} as idcg
from (
    select
        t.user_id,
        t.item_id,
        j.relevance,
        t.gain,
        row_number() over (partition by t.user_id order by t.gain desc, t.item_id asc) as rank
    from relevant as t
    inner join judged as j on j.user_id = t.user_id and j.item_id = t.item_id
) as o
inner join cutoffs as c on c.k >= o.rank
where {{ measurable() }}

-- name: rank_by_score
{# The top k of the scored items, ranked. #}
select {{ as_given("s.model") ~ ", " if modelled }}{{ as_given("s.user_id") }}, {{ as_given("s.item_id") }}, {{ as_given("s.rank") }}, {{ as_given("s.score") }}
from scored as s
inner join cutoffs as c on c.k >= s.rank
where {{ measurable() }}

-- name: judged_share
{# The number of items in the lists of users with truth before judged_only removes some, and of the judged ones. #}
select
    {{ model_of("r") }},
    count(*) as items,
    count(j.item_id) as judged
from {{ narrowed_recs }} as r
{% if fixed %}
inner join given_users as g on g.user_id = r.user_id
{% endif %}
left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
where
    r.user_id in (
        select t.user_id
        from judged as t
        where {{ is_relevant() }}
    )
{% if modelled %}
group by r.model
order by {{ turn("r.model") }} asc nulls first
{% endif %}

-- name: unfit
{# The lists of each model, and those whose first row is above the smallest budget, so that nothing of them counts there. #}
select
    {{ model_of("f") }},
    count(*) as lists,
    count(case when f.place > c.k then 1 end) as unfit,
    c.k
from (
    select {{ model("r") }}r.user_id, {{ sql.of_first("r.cost", "r.rank") }} as place
    from recommended as r
    group by {{ model("r") }}r.user_id
) as f
cross join (select min(c.k) as k from cutoffs as c) as c
group by {{ model("f") }}c.k
{% if modelled %}
order by {{ turn("f.model") }} asc nulls first
{% endif %}

-- name: weights
{# What the weights of the relevant rows are worth: the effective sample size of Kish 1965, and the share of the largest. #}
select
    count(*) as found,
    power({{ sql.near_sum("w.weight") }}, 2) / {{ sql.near_sum("w.weight * w.weight") }} as effective,
    max(w.weight) / {{ sql.near_sum("w.weight") }} as largest,
    {{ "0" if propensity_floor is none else "count(case when w.weight >= 1e0 / " ~ double(propensity_floor) ~ " then 1 end)" }} as at_floor
from (
    select {{ weight_of() }} as weight
    from given_truth as t{{ of_train("t") | indent }}
{% if fixed %}
    inner join given_users as g on g.user_id = t.user_id
{% endif %}
    where {{ is_relevant() }}
) as w

-- name: rejected_rows
{# The number of rows of the truth that are judged not relevant. #}
select count(*) as rejected
from given_truth as t
where not ({{ is_relevant() }})

-- name: judged_apart
{# Models of which one has far fewer judged items in its lists: the mean shares of both. #}
select m.model, m.share, o.model as other, o.share as other_share
from judged_means as m
inner join judged_means as o on round(abs(m.share - o.share), 12) > 1e-1
order by m.share asc nulls first, m.model asc nulls first

-- name: read_apart
{# How much a list of each model reads, if some read far less than others. #}
select m.model, m.reads, '{{ "tokens" if in_tokens else "positions" }}' as unit
from read_means as m
where (select min(o.share) from read_means as o) < 9e-1
order by m.reads asc, m.model asc nulls first

-- name: grade
{# The highest grade of the truth that is not above 0; no row without one. #}
select max(t.relevance) as grade
from given_truth as t
where t.relevance <= 0
having count(*) > 0

-- name: size
{# The numbers of rows of recs and of users of the truth, and whether engines print the ids of users differently. #}
select r.rows, u.users, {{ sql.is_written_differently("coalesce(r.user_id, u.user_id)") }} as is_apart
from (select count(*) as rows, min(r.user_id) as user_id from given_recs as r) as r
cross join (select count(distinct t.user_id) as users, min(t.user_id) as user_id from given_truth as t) as u

-- name: warnings
{# Warnings about input that can be measured, one sentence each. #}
select w.finding, w.message
from warnings as w
