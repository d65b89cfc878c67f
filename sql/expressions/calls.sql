{#
The metrics of a call: their place in it, sentences about them, and whether the input can be measured.
#}

-- name: asked_rows
{#
about = "in a macro, the rows of asked: the metrics that its call names, each with its place in the file"
also = "item rating pair"
#}
select list_position([{% for column in shown_columns %}{{ ", " if column.place > 1 }}'{{ column.metric }}'{% endfor %}], recsql.meaning(m.metric)) as place, m.metric
from (select unnest({{ asked_metrics }}) as metric) as m

-- name: place_in_call
{#
about = "the place of the metric of a row `x` in the call"
also = "item rating pair"
#}
{{ "list_position(" ~ asked_metrics ~ ", " ~ x ~ ".metric)" if named else x ~ ".place" }}

-- name: of_metric
{#
about = "the text `x`, with {name} and others for the metric, of the mean over users at the place of the row `of`"
#}
case {{ of }}.place
{% for column in user_columns %}{% if column.shown and column.method != "groups" %}
    when {{ column.place }} then {{ x.format(name=column.name, ks=column.ks | join(", "), order=column.order, scored="true" if column.method == "wilson" else "false") }}
{% endif %}{% endfor %}
end

-- name: beyond_bounds
{#
about = "the sentence on the first of the `columns` with values (`least` to `most`) beyond its bounds, or NULL; {} stands for the column's name"
also = "item rating pair"
#}
{% set bounded = columns | selectattr("header.bounds") | selectattr("shown") | list %}
{% if bounded %}
case
{% for column in bounded %}
{% set above = most.format(column.name) ~ " > " ~ column.bounds[1] ~ " + 1e-9 or " if column.bounds | length > 1 else "" %}
{% set beyond = above ~ least.format(column.name) ~ " < " ~ column.bounds[0] ~ " - 1e-9" %}
{% set bounds = column.header.bounds | join(" to ") if above else "of " ~ column.header.bounds[0] ~ " and above" %}
{% set told = sentence_of("beyond_bounds", metric=literal(column.label), least=least.format(column.name), most=most.format(column.name), bounds=literal(bounds), file=literal(column.metric)) %}
    when {{ place ~ " = " ~ column.place ~ " and (" ~ beyond ~ ")" if place is defined else beyond }}
        then
            {{ (sql.error("coalesce((select p.message from problems as p), " ~ told ~ ")") if failing is defined else told) | indent(12) }}
{% endfor %}
end
{% else %}
{{ sql.text("null") }}
{% endif %}

-- name: first_beyond_bounds
{#
about = "a query for the sentence on a value beyond its bounds, in `rows` s of one metric each"
also = "item rating pair"
#}
{% set bounded = columns | selectattr("header.bounds") | selectattr("shown") | list %}
{% if bounded %}
select
    {{ sentence_of("beyond_bounds", metric="b.metric", least=least, most=most, bounds="b.bounds", file="b.file") | indent }} as message
from (
    values{% for column in bounded %}{% set upper = column.bounds | length > 1 %}

    ({{ column.place }}, {{ literal(column.label) }}, {{ literal(column.metric) }}, {{ column.bounds[0] }}, {{ column.bounds[1] if upper else "null" }}, {{ literal(column.header.bounds | join(" to ") if upper else "of " ~ column.header.bounds[0] ~ " and above") }}){{ "," if not loop.last }}{% endfor %}

) as b (place, metric, file, lowest, highest, bounds)
inner join {{ rows }} as s on s.place = b.place
where {{ least }} < b.lowest - 1e-9 or {{ most }} > b.highest + 1e-9
order by b.place asc
limit 1
{% else %}
select {{ sql.text("null") }} as message
where false
{% endif %}

-- name: measurable
{#
about = "true, or an error that says why the input can't be measured"
#}
(select count({{ sql.error("p.message") }}) from problems as p) = 0

-- name: number_told
{#
about = "a number `x` as text, a whole one without a point"
#}
case when {{ x }} = floor({{ x }}) and abs({{ x }}) < 1e15 then {{ sql.text("try_cast(" ~ x ~ " as bigint)") }} else {{ sql.text(x) }} end

-- name: group_by_model
{#
about = "the last line of a query with a row per model: of the rows with the alias `x`"
#}
{% if modelled %}
group by {{ x }}.model
{% endif %}
