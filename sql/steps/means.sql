{#
The means: what is added up over users, how many users there are, and one row per metric.

Goes in: per_user or per_segment, per_run and rating_metrics. Comes out: means, one row per model and cut-off, and
summary, one row per model, metric and cut-off. The fast flow leaves out users without a hit and counts them here; the
plain flow has a row for each user and takes their average.
#}
{% set served_read = reported or (target == "evaluate" and (user_metrics or not sliced) and not parts) %}
{% set lists_of_all = "v.lists" if sliced or users != "intersection" else "v.lists - v.lists_without_truth" if parts else "v.with_truth" if shared_alone else "v.lists" %}
{% set served_by_segment = sliced and user_metrics %}

-- name: addends
{#
row = "one row per model, part, metric and cut-off: the sum of the metric in that part"
#}
select
    m.model,
{% if sliced %}
    p.slice,
    p.segment,
{% endif %}
    p.part,
    p.place,
    p.k,
    p.headcount,
    p.served,
    p.users,
    p.sum,
{% if spread %}
    p.squares,
    p.zeros,
{% endif %}
{% if spread and clustered %}
    p.cluster_squares,
    p.cluster_products,
    p.cluster_sizes,
    p.clusters,
{% endif %}
    p.users_with_truth,
    p.lists,
    p.lists_without_truth,
    p.longest_list
from given_parts as p
cross join models as m
left join owners as o on o.part = p.part and o.model is not distinct from m.model
where
    case
        when p.has_lists then p.model is not distinct from m.model
        else o.part is null -- the rows of no model stand for a model without lists in the part
    end
    and p.place is not null

-- name: tallies
{#
row = "one row per model and part: the number of users in the mean, and the counts of the report"
#}
select
    {{ key_columns("a") }}a.part,
    max(a.headcount) as headcount,
    max(a.served) as served,
    max(a.users_with_truth) as users_with_truth,
    max(a.lists) as lists,
    max(a.lists_without_truth) as lists_without_truth,
    max(a.longest_list) as longest_list
from addends as a
group by {{ keys("a") }}a.part

-- name: totals
{#
row = "one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value"
#}
{% macro squares(sum, x) %}{{ sql[sum](x, "p.users") | indent if grouped else sql[sum](x) | indent }}{% endmacro %}
{% if parts %}
select
    {{ key_columns("a") }}a.k{% for column in user_columns %},
    {{ sql.of_units(added("sum", place=column.order)) }} as {{ column.name }},
    cast({{ added("headcount", place=column.order) }} - {{ added("users", place=column.order) }} as bigint) as {{ column.name }}_missing{% if spread %},
    {{ sql.of_units(added_if_all("squares", place=column.order)) | indent }} as {{ column.name }}_squares,
    cast({{ added("users", place=column.order) }} - {{ added("zeros", place=column.order) }} as bigint) as {{ column.name }}_others{% endif %}{% endfor %}


from addends as a
group by {{ keys("a") }}a.k
{% elif named and in_rows %}
{# The columns are added up first, and become rows then; of a metric that the call does not name, DuckDB computes nothing. #}
{% set users = "p.users" if grouped else "1" %}
select
    {{ key_columns("t") }}t.place,
    t.k,
    t.sums.total,
{% if spread %}
    t.sums.squares,
    t.sums.others,
{% endif %}
    t.sums.least,
    t.sums.most,
    t.sums.missing
from (
    select
        {{ key_columns("p") | indent }}p.k,
        unnest(range(1, {{ user_columns | length + 1 }})) as place,
        unnest([
{% for column in user_columns %}
            recsql.{{ "moments" if spread else "sums" }}({{ asked_metrics }}, '{{ column.metric }}', {{ users }}, p.{{ column.name }}){{ "," if not loop.last }}
{% endfor %}
        ]) as sums
    from {{ "per_segment" if sliced else "per_user" }} as p
    group by {{ keys("p") }}p.k
) as t
where t.place in (
    select a.place
    from (
        {{ asked_rows() | indent(8) }}
    ) as a
)
{% else %}
select
    {{ key_columns("p") }}p.k{% for column in user_columns %},
    {{ exact("p." ~ column.name, "p.users") if grouped else exact("p." ~ column.name) }} as {{ column.name }},
{% if target == "paired" %}
    {{ exact("p." ~ column.name ~ " * p." ~ column.name) }} as {{ column.name }}_squares,
    count(case when p.{{ column.name }} > 5e-13 then 1 end) as {{ column.name }}_others,
{% endif %}
{% if target == "partial" %}
    case
        when coalesce(max(abs(p.{{ column.name }})), 0e0) < 3e4
            then coalesce({{ exact("case when abs(p." ~ column.name ~ ") < 3e4 then p." ~ column.name ~ " * p." ~ column.name ~ " end") }}, 0)
    end as {{ column.name }}_squares,
{% elif spread %}
    {% if column.method == "wilson" %}{{ squares("exact_sum", "p." ~ column.name ~ " * p." ~ column.name) }}{% else %}{{ squares("square_sum", "p." ~ column.name) }}{% endif %} as {{ column.name }}_squares,
{% endif %}
{% if target == "partial" or spread %}
    {{ "cast(sum(case when p." ~ column.name ~ " <> 0 then p.users else 0 end) as bigint)" if grouped else "count(case when p." ~ column.name ~ " <> 0 then 1 end)" }} as {{ column.name }}_others,
{% endif %}
    {{ "cast(sum(case when p." ~ column.name ~ " is null then p.users else 0 end) as bigint)" if grouped else "count(*) - count(p." ~ column.name ~ ")" }} as {{ column.name }}_missing{% endfor %}{% if checked %},
    {{ beyond_bounds(columns=user_columns, least="min(p.{})", most="max(p.{})") | indent }} as beyond_bounds{% endif %}

from {{ "per_segment" if sliced else "per_user" }} as p
group by {{ keys("p") }}p.k
{% endif %}

-- name: headcount
{#
row = "one row per model with users in the mean: the number of these users"
#}
{% if parts %}
select {{ keys("t") }}cast(sum(t.headcount) as bigint) as users, cast(sum(t.served) as bigint) as lists
from tallies as t
group by {{ keys("t") | trim(", ") }}
{% elif sliced %}
select {{ model("u") }}s.slice, {{ segment_joined() }}{{ " as segment" if by_activity }}, count(*) as users
from population as u
{{ with_segments("u") }}
group by {{ model("u") }}s.slice, {{ segment_joined() }}
{% elif modelled %}
select u.model, count(*) as users
from population as u
group by u.model
{% else %}
select count(*) as users
from population as u
{% endif %}

-- name: segments_in_mean
{#
row = "one row per slice and segment with users in the mean of a model"
#}
select distinct h.slice, h.segment
from {{ "headcount" if fast else "per_segment" }} as h

-- name: served
{#
kept = true
row = "one row per model with lists that count: the number of lists, and of those of users in the mean; with slices, of each segment"
plain_row = "one row per model with lists that count (and segment, for slices): their number"
#}
{# The lists in the mean are those of the users in members. #}
{% set in_mean_read = of_users and is_read("served", "in_mean") %}
{% set in_truth = truthless and not owners_count %}
select
{% if modelled %}
    l.model,
{% endif %}
{% if served_by_segment %}
    s.slice,
    {{ segment_joined() }}{{ " as segment" if by_activity }},
{% endif %}
    count(*) as lists{% if in_mean_read %},
    {{ "count(*)" if owners_count else "count(t.user_id)" if in_truth else "count(u.user_id)" }} as in_mean{% endif %}{% if reported or shared_alone %},
    count(u.user_id) as with_truth{% endif %}{% if reported %},
    max(l.returned) as longest{% endif %}{% if ties_counted %},
    count(case when {% for k in cuts %}{{ " or " if not loop.first }}{{ sql.tied_at("l.best", k) }}{% endfor %} then 1 end) as tied{% endif %}

from lists as l
{% if fixed %}
inner join given_users as c on c.user_id = l.user_id
{% endif %}
{% if reported or shared_alone or (in_mean_read and not owners_count and not in_truth) %}
left join users as u on u.user_id = l.user_id
{% endif %}
{% if in_mean_read and in_truth %}
left join (select distinct t.user_id from given_truth as t) as t on t.user_id = l.user_id
{% endif %}
{% if served_by_segment %}
{{ with_segments("l") }}
group by {{ model("l") }}s.slice, {{ segment_joined() }}
{% elif modelled %}
group by l.model
{% endif %}

-- name: report
{#
row = "one row per model: users with truth, lists, lists without truth, length of the longest list; of the users in the table users, if given"
#}
{% if parts %}
select
    t.model,
    cast(sum(t.users_with_truth) as bigint) as users_with_truth,
    cast(sum(t.lists) as bigint) as lists,
    cast(sum(t.lists_without_truth) as bigint) as lists_without_truth,
    max(t.longest_list) as longest_list
from tallies as t{% if sliced %}

where t.slice = 0{% endif %}

group by t.model
{% else %}
select
{% if modelled %}
    m.model,
{% endif %}
    (select count(*) from users as u{{ " inner join given_users as g on g.user_id = u.user_id" if fixed }}) as users_with_truth,
    coalesce(v.lists, 0) as lists,
    coalesce(v.lists - v.with_truth, 0) as lists_without_truth,
    coalesce(v.longest, 0) as longest_list{% if ties_counted %},
    coalesce(v.tied, 0) as tied_lists{% endif %}{% if truth_counted %},
    (select count(*) from given_truth as t) - coalesce((select cast(sum(u.relevant) as bigint) from users as u), 0) as idle_truth{% endif %}

from models as m
left join served as v on {{ on_model("v", "m") }}{{ " and v.slice = 0" if served_by_segment }}
{% endif %}

-- name: census
{#
row = "one row per model: the number of users in the mean"
#}
{% set lists_read = is_read("census", "lists") %}
{% set lists = "coalesce(" ~ ("n.lists" if parts else "v.in_mean") ~ ", 0) as lists" %}
{% if sliced %}
select {{ model("m") }}s.slice, s.segment, coalesce(n.users, 0) as users{{ ", " ~ lists if lists_read }}
from models as m
cross join segments_in_mean as s
left join headcount as n on {{ same_model("n", "m") }}n.slice = s.slice and n.segment is not distinct from s.segment
{% if served_read and lists_read %}
left join served as v on {{ same_model("v", "m") }}v.slice = s.slice and v.segment is not distinct from s.segment
{% endif %}
{% else %}
select {{ model("m") }}coalesce(n.users, 0) as users{{ ", " ~ lists if lists_read and target != "paired" }}
from models as m
left join headcount as n on {{ on_model("n", "m") }}
{% if served_read and lists_read %}
left join served as v on {{ on_model("v", "m") }}
{% endif %}
{% endif %}

-- name: means
{#
row = "one row per model and cut-off: the number of lists, the mean of each metric, and the number of users with a value"
#}
{# A policy can leave a model or a segment without users in the mean. #}
{% set all = "p" if plain_population else "n" %}
{% set from = "per_segment" if sliced else "per_user" %}
select
    {{ key_columns(all) }}{{ all }}.k,
    count(l.user_id) as lists{% for column in user_columns | selectattr("shown") %},
    {{ column.mean(sql.mean("p.{name}"), "count(p.user_id)") | indent }} as {{ column.name }},
    count(p.{{ column.name }}) as {{ column.name }}_users{% endfor %}{% if checked %},
    {{ beyond_bounds(columns=user_columns, least="min(p.{})", most="max(p.{})") | indent }} as beyond_bounds{% endif %}

{% if plain_population %}
from {{ from }} as p
{% else %}
from (
    select {{ model("m") }}{{ "s.slice, s.segment, " if sliced }}c.k
{% if modelled %}
    from models as m
    cross join cutoffs as c
{% else %}
    from cutoffs as c
{% endif %}
{% if sliced %}
    cross join segments_in_mean as s
{% endif %}
) as n
left join {{ from }} as p on {{ same_keys("p", "n") }}p.k = n.k
{% endif %}
left join lists as l on {{ same_model("l", "p") }}l.user_id = p.user_id
group by {{ keys(all) }}{{ all }}.k

-- name: means (fast)
{#
row = "one row per model and cut-off: the means of the metrics over users, and the numbers of these users"
buys = "see users_at_k: users without a hit, or alike, are only counted"
#}
select
    {{ key_columns("n") }}n.lists,
    c.k{% for column in user_columns %},
    {{ column.mean(mean_of_totals("n.users"), "n.users") | indent }} as {{ column.name }},
    n.users - coalesce(t.{{ column.name }}_missing, 0) as {{ column.name }}_users{% endfor %}

from census as n
cross join cutoffs as c
left join totals as t on {{ same_keys("t", "n") }}t.k = c.k

-- name: cluster_totals
{#
row = "one row per model, cut-off and cluster of users: the sums of the metrics, and the numbers of users with a value"
#}
{# A user without a cluster is one. #}
{% if in_rows %}
select
    {{ key_columns("p") }}p.place,
    p.k,
    c.cluster,
    case when c.cluster is null then p.user_id end as loner,
    {{ exact("p.value", "p.users") if grouped else exact("p.value") }} as total,
    {{ "cast(sum(case when p.value is not null then p.users end) as bigint)" if grouped else "count(p.value)" }} as users
from metric_values as p
left join clusters as c on c.user_id = p.user_id
where exists (select 1 as one from clusters as n)
group by {{ keys("p") }}p.place, p.k, c.cluster, case when c.cluster is null then p.user_id end
{% else %}
select
    {{ key_columns("p") }}p.k,
    c.cluster,
    case when c.cluster is null then p.user_id end as loner{% for column in user_columns %},
    {{ sql.exact_sum("p." ~ column.name) }} as {{ column.name }},
    count(p.{{ column.name }}) as {{ column.name }}_users{% endfor %}

from {{ "per_segment" if sliced else "per_user" }} as p
left join clusters as c on c.user_id = p.user_id
group by {{ keys("p") }}p.k, c.cluster, case when c.cluster is null then p.user_id end
{% endif %}

-- name: cluster_moments
{#
row = "one row per model and cut-off: sums over the clusters: of the squared sums of the metrics, of these sums times the number of users, and of the squared numbers"
#}
{% if parts %}
select
    {{ key_columns("a") }}a.k{% for column in user_columns %},
    {{ sql.of_units(added_if_all("cluster_squares", place=column.order)) | indent }} as {{ column.name }}_squares,
    {{ sql.of_units(added("cluster_products", place=column.order)) }} as {{ column.name }}_products,
    {{ double(added("cluster_sizes", place=column.order)) }} as {{ column.name }}_sizes,
    cast({{ added("clusters", place=column.order) }} as bigint) as {{ column.name }}_clusters{% endfor %}

from addends as a
group by {{ keys("a") }}a.k
{% elif in_rows %}
select
    {{ key_columns("t") }}t.place,
    t.k,
    {{ sql.square_sum("t.total") }} as squares,
    {{ exact("t.total * t.users") }} as products,
    sum({{ double("t.users") }} * t.users) as sizes,
    count(t.total) as clusters
from cluster_totals as t
group by {{ keys("t") }}t.place, t.k
{% else %}
{% macro squares(x) %}{% if target == "partial" %}case when max(abs({{ x }})) < 3e4 then {{ exact("case when abs(" ~ x ~ ") < 3e4 then " ~ x ~ " * " ~ x ~ " end") }} end{% else %}{{ sql.square_sum(x) | indent }}{% endif %}{% endmacro %}
select
    {{ key_columns("t") }}t.k{% for column in user_columns %}{% set x, users = "t." ~ column.name, "t." ~ column.name ~ "_users" %},
    {{ squares(x) }} as {{ column.name }}_squares,
    {{ exact(x ~ " * " ~ users) }} as {{ column.name }}_products,
    sum({{ double(users) }} * {{ users }}) as {{ column.name }}_sizes,
    count({{ x }}) as {{ column.name }}_clusters{% endfor %}

from cluster_totals as t
group by {{ keys("t") }}t.k
{% endif %}

-- name: group_totals
{#
row = "one row per model, cut-off and group of users: the sums of the metrics, and the numbers of users without a value"
#}
select
    {{ key_columns("p") }}p.k,
    g.part{% for column in user_columns %},
    {{ exact("p." ~ column.name) }} as {{ column.name }},
    count(*) - count(p.{{ column.name }}) as {{ column.name }}_missing{% endfor %},
    count(*) as users
from {{ "per_segment" if sliced else "per_user" }} as p
inner join user_groups as g on g.user_id = p.user_id
group by {{ keys("p") }}p.k, g.part

-- name: left_out_means
{#
row = "one row per model, cut-off and group of users: the means over all other users"
#}
select
    {{ key_columns("n") }}n.k,
    n.part{% for column in user_columns %},
    {{ column.mean(mean_of_totals("n.users"), "n.users") | indent }} as {{ column.name }}{% endfor %}

from (
    select {{ keys("g") }}g.k, g.part, c.users - g.users as users
    from group_totals as g
    inner join census as c on {{ on_keys("c", "g") }}
) as n
inner join (
    select
        {{ key_columns("g") | indent(4) }}g.k,
        g.part{% for column in user_columns %},
        t.{{ column.name }} - coalesce(g.{{ column.name }}, 0e0) as {{ column.name }},
        t.{{ column.name }}_missing - g.{{ column.name }}_missing as {{ column.name }}_missing{% endfor %}

    from group_totals as g
    inner join totals as t on {{ same_keys("t", "g") }}t.k = g.k
) as t on {{ same_keys("t", "n") }}t.k = n.k and t.part = n.part

-- name: asked
{#
row = "one row per requested metric, with its place in the request"
#}
{% if named %}
{{ asked_rows() }}
{% else %}
{% for column in shown_columns %}{% if column.place > 1 %}

union all
{% endif %}
select {{ column.place }} as place, {{ literal(column.heading) }} as metric, {{ literal(column.label) }} as definition{% endfor %}
{% endif %}

-- name: portions
{#
row = "one row per model, metric and cut-off: the number of users, and the sum of their values"
#}
{% macro of_metric(text) %}
case a.place
{% for column in user_columns %}
            when {{ column.place }} then {{ text.format(name=column.name, ks=column.ks | join(", "), order=column.order) }}
{% endfor %}
        end
{%- endmacro %}
select
    {{ key_columns("p") }}p.metric,
    p.k,
    p.all_users as headcount,
    p.served,
    p.all_users - coalesce(p.missing, 0) as users,
    coalesce(p.total, 0) as sum,
    p.squares,
    p.all_users - coalesce(p.missing, 0) - coalesce(p.others, 0) as zeros,
{% if clustered %}
    p.cluster_squares,
    p.cluster_products,
    p.cluster_sizes,
    p.clusters,
{% endif %}
    p.place,
    p.definition
from (
    select
        {{ key_columns("n") | indent }}a.metric,
        c.k,
        n.users as all_users,
        n.lists as served,
        {{ of_metric("t.{name}_missing") }} as missing,
        {{ of_metric("t.{name}") }} as total,
        coalesce({{ of_metric("t.{name}_squares") }}, case when t.k is null then 0 end) as squares,
        {{ of_metric("t.{name}_others") }} as others,
{% if clustered %}
        {{ of_metric("e.{name}_squares") }} as cluster_squares,
        {{ of_metric("e.{name}_products") }} as cluster_products,
        {{ of_metric("e.{name}_sizes") }} as cluster_sizes,
        {{ of_metric("e.{name}_clusters") }} as clusters,
{% endif %}
        {{ of_metric("{order}") }} as place,
        a.definition
    from census as n
    cross join cutoffs as c
    cross join asked as a
    left join totals as t on {{ same_keys("t", "n") }}t.k = c.k
{% if clustered %}
    left join cluster_moments as e on {{ same_keys("e", "n") }}e.k = c.k
{% endif %}
    where
        {{ of_metric("c.k in ({ks})") }}
) as p

-- name: summary
{#
row = "one row per model, metric and cut-off"
also = "item interaction"
kept = true

[options.metrics]
about = "the names of the metrics to compute, or all; by default, the most common ones"
topic = "definitions"
type = "names"

[options.like]
about = "the preset with the conventions of another library; options that you give override it"
topic = "presets"
type = "preset"
#}
{# Plainly, one SELECT per metric. The other form has the metrics as rows of their own, which in a macro are parameters. #}
{% macro of_group(from) %}{% if group_metrics %},
    {{ "m.item_group" if from == "per_group" else sql.text("null") ~ " as item_group" }}{% endif %}{% endmacro %}
{% macro rows(columns, from, lists, left_out=false) %}
{% if not fast %}
{% for column in columns | selectattr("shown") %}{% if not loop.first %}

union all
{% endif %}
{% set found = [
    literal(column.heading) ~ " as metric",
    "m.k",
    "m." ~ column.name ~ " as value",
    "m." ~ column.name ~ "_users as users",
    lists ~ of_group(from),
    column.place ~ " as place",
    literal(column.label) ~ " as definition",
] %}
{% if group_metrics %}
select
    {{ key_columns("m") }}{{ found | join(",
    ") }}
{% else %}
select {{ keys("m") }}{{ found | join(", ") }}
{% endif %}
from {{ from }} as m{% if from != "means" %}

left join {{ "list_segments" if sliced else "served" }} as v on {{ on_keys("v", "m") }}{% endif %}{% if ks_differ %}

where m.k in ({{ column.ks | join(", ") }}){% endif %}{% if left_out %}

{{ "    and" if ks_differ else "where" }} m.part is null{% endif %}{% endfor %}
{% else %}
select
    {{ key_columns("m") }}a.metric,
    m.k,
    case a.place
{% for column in columns %}{% if column.shown %}
        when {{ column.place }} then m.{{ column.name }}
{% endif %}{% endfor %}
    end as value,
    case a.place
{% for column in columns %}{% if column.shown %}
        when {{ column.place }} then m.{{ column.name }}_users
{% endif %}{% endfor %}
    end as users,
    {{ lists }}{{ of_group(from) }},
    a.place{% if not named %},
    a.definition{% endif %}

from {{ from }} as m
cross join asked as a{% if from != "means" %}

left join {{ "list_segments" if sliced else "report" if parts else "served" }} as v on {{ on_keys("v", "m") }}{% endif %}{% if named %}
{% set cut = columns | selectattr("needs_cutoff") | map(attribute="place") | join(", ") %}
{% if cut %}

where m.k < {{ whole }} or a.place not in ({{ cut }}){% endif %}{% endif %}{% if ks_differ %}

where
    case a.place
{% for column in columns %}{% if column.shown %}
        when {{ column.place }} then m.k in ({{ column.ks | join(", ") }})
{% endif %}{% endfor %}
    end{% endif %}{% if left_out %}

{{ "    and" if ks_differ else "where" }} m.part is null{% endif %}
{% endif %}
{% endmacro %}
{% if in_rows %}
{% set cut = user_columns | selectattr("needs_cutoff") | map(attribute="place") | join(", ") %}
select
    {{ key_columns("n") }}a.metric,
    c.k,
    coalesce(t.total, 0e0) / nullif(n.users - coalesce(t.missing, 0), 0) as value,
    n.users - coalesce(t.missing, 0) as users,
    n.lists,
    a.place
from census as n
cross join cutoffs as c
cross join asked as a
left join totals as t on {{ same_keys("t", "n") }}t.place = a.place and t.k = c.k{% if cut %}

where c.k < {{ whole }} or a.place not in ({{ cut }}){% endif %}

{% elif user_metrics %}
{{ rows(user_columns, "means", "m.lists") }}
{% endif %}
{% if user_metrics and item_metrics %}
union all
{% endif %}
{% if item_metrics %}
{{ rows(item_columns, "per_run", "coalesce(" ~ lists_of_all ~ ", 0) as lists", left_out=item_groups) }}
{% endif %}
{% if (user_metrics or item_metrics) and group_metrics %}
union all
{% endif %}
{% if group_metrics %}
{{ rows(item_group_columns, "per_group", "coalesce(" ~ lists_of_all ~ ", 0) as lists") }}
{% endif %}

-- name: rating_summary
{#
row = "one row per model and metric"
grain = "rating"
#}
select
{% if modelled %}
    m.model,
{% endif %}
    a.metric,
    case a.place
{% for column in rating_columns %}
        when {{ column.place }} then m.{{ column.name }}
{% endfor %}
    end as value,
    case a.place
{% for column in rating_columns %}
        when {{ column.place }} then m.{{ column.name }}_users
{% endfor %}
    end as users,
    a.place{% if not named %},
    a.definition{% endif %}

from rating_means as m
cross join asked as a
