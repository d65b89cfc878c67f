{#
What is wrong with a call: metrics, cut-offs, models and options that don't fit the tables, and values beyond the
bounds of a metric.
#}

-- name: missing_columns
{#
message = "{table}: there is no column {column}; {hint}it has {columns}; {way}"
in_place = true
place = 0
on = []
when = "named and target != 'compare'"
#}
{% for role, columns in required.items() if columns %}
select c.message
from recsql.check_columns(¦table_columns¦, '{{ role }}', {{ tables[role].name }}, [{% for column in columns %}{{ ", " if not loop.first }}{{ literal(column) }}{% endfor %}]) as c
{{ "union all" if not loop.last }}
{% endfor %}

-- name: metric_names
{#
message = "unknown metric '{name}'; {hint}choose one of {names}"
in_place = true
place = 1
on = ["asked"]
when = "named"
#}
select c.message
from recsql.check_metrics({{ asked_metrics }}, {{ every_metric }}, '{{ home }}') as c

-- name: no_metrics
{#
message = "metrics: the list is empty; name a metric, pass 'all', or leave metrics= out for the default ones"
#}

-- name: not_in_preset
{#
message = "{metric}: {like} has no such metric; leave like= out for recsql's own, or choose one of {has}"
#}

-- name: requirements
{#
message = "{metric} needs {options}"
place = 0
on = ["asked"]
when = "named and needing"
#}
select
    {{ sentence(metric="n.name", options="n.options") | indent }} as message
from (
    select
        n.name,
        case recsql.meaning(n.name)
{% for metric, lacking in needing.items() %}
            when '{{ metric }}' then case when {{ lacking }} then '{{ options_for(metric) }}' end
{% endfor %}
        end as options
    from (select unnest(case when «metrics» is null and len({{ asked_metrics }}) = 0 then {{ every_metric }} else {{ asked_metrics }} end) as name) as n
) as n
where n.options is not null
limit 1

-- name: numbers
{#
message = "{option}: {value} is not {bound}"
in_place = true
place = 1
on = []
when = "named and bounded"
#}
{% for name, option in bounded.items() %}
{% set x = "try_cast(«" ~ name ~ "» as double)" %}
{% if option.choices %}
select c.message
from recsql.check_number('{{ name }}', «{{ name }}», 'one of {{ option.choices | join(", ") }}', lower({{ sql.text("«" ~ name ~ "»") }}) in ('{{ option.choices | join("', '") }}')) as c
{% else %}
select c.message
from recsql.check_number('{{ name }}', «{{ name }}», {{ "case when " ~ x ~ " % 1 <> 0 then 'a whole number' else '" ~ option.bound ~ "' end" if option.type == "integer" else "'" ~ option.bound ~ "'" }}, {% for sign, bound in [(">", option.above), (">=", option.at_least), ("<=", option.at_most), ("<", option.below)] if bound is not none %}{{ x }} {{ sign }} {{ bound }}{{ " and " if not loop.last }}{% endfor %}{{ " and " ~ x ~ " % 1 = 0" if option.type == "integer" }}) as c
{% endif %}
{{ "union all" if not loop.last }}
{% endfor %}

-- name: cutoffs
{#
message = "k: a cut-off is a whole number from 1 to 1000000, or all; found {found}"
place = 1
on = ["cutoffs"]
when = "named"
#}
select
    {{ sentence(found="coalesce(nullif(n.given, ''), 'none')") | indent }} as message
from (select unnest(case when len(recsql.names(«k»)) = 0 then [''] else recsql.names(«k») end) as given) as n
where recsql.cutoff(n.given) is null
limit 1

-- name: cutoff_count
{#
message = "k: there are more than 10000 cut-offs; give fewer"
place = 1
on = ["cutoffs"]
when = "named"
#}
select
    {{ sentence() | indent }} as message
where len(recsql.names(«k»)) > {{ most_cutoffs }}

-- name: one_cutoff
{#
message = "k: this macro takes one cut-off, and not {found}; give the largest"
place = 1
on = ["cutoffs"]
when = "named and one_k"
#}
select
    {{ sentence(found="len(recsql.names(«k»))") | indent }} as message
where len(recsql.names(«k»)) > 1

-- name: many_models
{#
message = "{recs}: it has {found} models, and at most 1000 are ranked, because the pairs grow with the square; give fewer"
place = 2
on = ["models"]
when = "ranked"
#}
select
    {{ sentence(found="m.models") | indent }} as message
from (select count(*) as models from models as m) as m
where m.models > 1000

-- name: unrankable
{#
message = "{metric}: neither its high nor its low values are better, so it ranks no models; leave it out"
place = 2
on = ["asked"]
when = "named and ranked and any(column.header.get('better') == 'neither' for column in shown_columns)"
#}
select
    {{ sentence(metric="a.metric") | indent }} as message
from asked as a
where a.place in ({% for column in shown_columns if column.header.get("better") == "neither" %}{{ ", " if not loop.first }}{{ column.place }}{% endfor %})
limit 1

-- name: whole_list
{#
message = "{metric}: {what} needs a cut-off, and the whole list has none; give one such as 10"
place = 2
on = ["asked", "cutoffs"]
when = "named and any(column.needs_cutoff for column in shown_columns)"
#}
select
    {{ sentence(metric="n.name", what="n.what") | indent }} as message
from (
    select
        n.name,
        case recsql.meaning(n.name)
{% for column in shown_columns | selectattr("needs_cutoff") %}
            when '{{ column.metric }}' then '{{ column.needs_cutoff }}'
{% endfor %}
        end as what
    from (select unnest({{ asked_metrics }}) as name) as n
) as n
where
    n.what is not null
    and «metrics» is not null
    and lower(array_to_string(recsql.names(«metrics»), ',')) <> 'all'
    and list_contains(recsql.cutoffs(«k»), {{ whole }})
limit 1

-- name: ideal
{#
message = "{option}: ideal supports only {option}='{plain}', not '{given}'"
place = 2
on = []
when = "target == 'ideal' and named and (ideal != 'truth' or truth_window != 'all')"
#}
{% if ideal != "truth" %}
select {{ sentence(option="'ideal'", plain="'truth'", given="'" ~ ideal ~ "'") | indent }} as message
{% else %}
select {{ sentence(option="'truth_window'", plain="'all'", given="'" ~ truth_window ~ "'") | indent }} as message
{% endif %}

-- name: of_scores
{#
message = "rank_by='{rank_by}': the column score is read here, and no ranks; leave rank_by= out"
place = 1
on = []
when = "target == 'fuse' and method != 'rrf' and not (by_score or named)"
#}
select
    {{ sentence(rank_by="'" ~ rank_by ~ "'") | indent }} as message

-- name: no_order
{#
message = "ties='{ties}' gives tied items no order, which truth_window, single rows, means over lists and metrics of all lists need; use ties='item_asc', 'item_desc', 'input' or 'error'"
place = 1
on = ["ranked"]
when = "unordered and (target == 'rank_by_score' or not of_users or of_items or lists_summed or truth_window in ['k', 'rank'])"
#}
select
    {{ sentence(ties="'" ~ ties ~ "'") | indent }} as message

-- name: baseline
{#
message = "baseline: {baseline} is not among the models of {recs}; {hint}choose one of {models}"
place = 2
on = ["model_pairs"]
when = "not baseline is none"
#}
select
    {{ sentence(baseline="m.baseline", hint=sql.nearest("m.baseline", "m.models"), models=sql.listing("m.models")) | indent }} as message
from (
    select
        {{ sql.text(literal(baseline)) if named else literal(baseline) }} as baseline,
        {{ sql.ordered_list(sql.text("n.model") if named else "n.model", "n.model") }} as models
    from models as n
    where n.model is not null
) as m
left join {{ "(select " ~ sql.text("n.model") ~ " as model from models as n)" if named else "models" }} as o on o.model = m.baseline
where o.model is null{{ " and m.baseline is not null" if named }}

-- name: one_model
{#
message = "{recs}: {model} is the only model, and a comparison needs two or more; give the lists of another one"
place = 3
on = ["model_pairs"]
when = "not ranked and not (named and leading)"
#}
select
    {{ sentence(model="coalesce(min(m.model), 'NULL')") | indent }} as message
from models as m
having count(*) < 2

-- name: drawn_users
{#
message = "sample: user_id is {kind}, which engines convert to text differently; cast it to a whole number or to text so that every engine draws the same users"
place = 2
on = ["sampled"]
#}
{# One row, also where nobody is drawn. #}
select
    {{ sentence(kind=sql.type_of("n.user_id")) | indent }} as message
from (select min(a.user_id) as user_id from sampled as a) as n
where {{ sql.is_written_differently("n.user_id") }}

-- name: no_truth_to_share
{#
message = "users: 'intersection' leaves out lists of users without relevant items, and there is no truth here; give a table of users, or use evaluate, which takes a truth"
place = 1
on = ["lists"]
when = "users == 'intersection' and 'truth' not in tables"
#}
select {{ sentence() }} as message

-- name: nobody
{#
message = "no user in {truth} has a relevant item and is in the mean; check relevance=, relevance_threshold=, users= and no_recs="
in_macro = "no user in {truth} has a relevant item and is in the mean; check its column relevance, and the options of the file, such as --users"
place = 9
on = ["population"]
when = "not partial and not lists_alone"
#}
select
    {{ sentence() | replace("users= and no_recs=", "users=, no_recs= or sample=" if sampled else "users= and no_recs=") | indent }} as message
from (select count(*) as users from population as u) as n
where n.users = 0

-- name: nobody_in_parts
{#
message = "{parts}: no user in these parts is in the mean; check the options they were made with"
place = 9
on = ["census"]
when = "parts"
#}
select {{ sentence() | indent }} as message
from (select sum(c.users) as users from census as c) as n
where n.users = 0

-- name: beyond_bounds
{#
message = "{metric} has values from {least} to {most}, beyond its bounds {bounds}; correct the expression or the bounds in sql/metrics/{file}.sql"
place = 10
on = ["per_user"]
when = "not parts and (target in ['evaluate', 'partial'] or (pair_sums and sparse))"
#}
{% if in_rows %}
{{ first_beyond_bounds(rows="totals", columns=user_columns, least="s.least", most="s.most") }}
{% else %}
select t.beyond_bounds as message
from {{ "totals" if fast or partial else "means" }} as t
where t.beyond_bounds is not null
order by t.k asc
limit 1
{% endif %}

-- name: beyond_bounds_of_pairs
{#
place = 10
on = ["paired_sums"]
when = "not sparse"
#}
{% if in_rows %}
{{ first_beyond_bounds(rows="paired_sums", columns=user_columns, least="s.least", most="s.most") }}
{% else %}
select d.beyond_bounds as message
from paired_sums as d
where d.beyond_bounds is not null
order by d.k asc
limit 1
{% endif %}

-- name: beyond_bounds_of_values
{#
place = 10
on = ["asked"]
when = "(item_metrics or target == 'rating_metrics') and target in ['evaluate', 'rating_metrics'] and not parts"
#}
{% if target == "rating_metrics" %}
{{ first_beyond_bounds(rows="rating_summary", columns=rating_columns, least="s.value", most="s.value") }}
{% else %}
{{ first_beyond_bounds(rows="summary", columns=item_columns, least="s.value", most="s.value") }}
{% endif %}

-- name: refused
{#
about = "evaluate refuses the tables"
matters = "there are no values until the tables are corrected"
advice = "do what the sentence says"
severity = "error"
unit = "rows"
needs = ["refusal"]
#}
select {{ sql.text("null") }} as model, 1 as found, cast(null as bigint) as total, r.message as example
from given_refusal as r
{# rows #}
select r.message
from given_refusal as r
