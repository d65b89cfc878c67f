{#
The rows of recs: ranks, scores, repeated items and lengths of lists.
#}

-- name: no_rows
{#
message = "{recs} has no rows, so every user counts as having no list"
warns = "unproven"
#}
{% macro empty(name, condition="") %}
select
    {{ sentence(recs=name) | indent }} as message
from (select count(*) as listed from given_recs as r{{ condition }}) as n
where n.listed = 0
{% endmacro %}
{% for model, name in tables.recs.models.items() %}
{{ empty(name, " where r.model = " ~ literal(model)) }}
{% if not loop.last %}
union all
{% endif %}
{% else %}
{{ empty(tables.recs.name) }}
{% endfor %}

-- name: fold_column
{#
message = "{recs}: it has the column {column}, and a macro can't keep folds or data sets apart; give a view of one of them, without that column"
place = 2
on = ["given_recs"]
when = "named"
#}
select
    {{ sentence(column="c.name") | indent }} as message
from table_columns as c
where c.role = 'recs' and lower(c.name) in ('fold', 'dataset')
limit 1

-- name: tables_swapped
{#
about = "recs look like judgements, and the truth like lists"
matters = "the truth is then ranked, and the lists are taken as relevant"
advice = "give the recommendations first, then the truth"
severity = "warning"
unit = "rows"
table = "recs"
when = "look_swapped or named"
message = "{recs} looks like judgements, and {truth} like lists: are the tables swapped? recommendations come first"
warns = "look_swapped"
#}
select {{ sql.text("null") }} as model, count(*) as found, count(*) as total, {{ sql.text("null") }} as example
from given_recs as r{% if named %}

where typeof(r.given_rank) = '"NULL"'
    and (
        'score' in (select n.name from likely_relevance as n) and {{ scores_are_grades() | indent(8) }}
{% if truth_window == "all" and ideal != "truth_as_given" %}
        or (
            select count(case when lower(c.name) = 'rank' then 1 end) = 1 and count(case when lower(c.name) in ('relevance', 'events') then 1 end) < 2
            from table_columns as c
            where c.role = 'truth'
        )
{% endif %}
    ){% elif swapped in ["score", "relevance"] %}

where {{ scores_are_grades() }}{% endif %}{% if swapped == "relevance" and not named %}

    and not {{ scores_are_grades(of=("r.relevance", "given_truth")) | indent }}{% endif %}

{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.score
from given_recs as r
{# sentence #}
select
    {{ sentence() | indent }} as message
{% if swapped in ["score", "relevance"] %}
where {{ scores_are_grades() }}
{% endif %}
{% if swapped == "relevance" %}
    and not {{ scores_are_grades(of=("r.relevance", "given_truth")) | indent }}
{% endif %}

-- name: ranks
{#
message = "{recs}: `rank` is {rank} for user {user}, item {item}; ranks are whole numbers that start at 1"
place = 4
on = ["given_recs"]
when = "by_rank and not from_lists"
#}
{# A number below this one can be cast to bigint, as the steps do. #}
select
    {{ sentence(rank="r.given_rank" if named else "r.rank", user="r.user_id", item="r.item_id") | indent }} as message
from given_recs as r
where
    {{ is_no_rank() | indent }}
{% if any_order %}
    and r.rank_by = 'rank'
{% endif %}
order by r.user_id asc, r.item_id asc, message asc
limit 1

-- name: same_rank
{#
message = "{recs}: items {one} and {other} have the same `rank` {rank} in the list of user {user}{model}; number each list with row_number(), or use rank_by='score' and choose how equal scores count with ties=; or are these several lists of a user, such as one a day? give each its own `user_id`{files}"
in_macro = "{recs}: items {one} and {other} have the same `rank` {rank} in the list of user {user}{model}; number each list with row_number(), or choose how equal scores count with recsql macros --rank-by score --ties expected -o FILE; or are these several lists of a user? for days, write {day: dt, user_id: user_id} as user_id in both tables"
place = 6
on = ["given_recs"]
when = "by_rank and (checked or finding)"
#}
select
    {{ sentence(one="o.one", other="o.other", rank="o.rank", user="o.user_id", model="coalesce(' and model ' || o.model, '')", files=per_file) | indent }} as message
from repeated_ranks as o
order by {{ "o.model asc nulls first, " if modelled }}o.user_id asc, o.rank asc
limit 1

-- name: crowded
{#
message = "{recs}: the list of user {user}{model} has {items} items, but its last `rank` is {rank}; give each item of a list its own rank"
place = 7
on = ["lists"]
when = "lengths_count"
#}
select
    {{ sentence(user="l.user_id", model="coalesce(' and model ' || l.model, '')", items="l.returned", rank="l.last_rank") | indent }} as message
from lists as l
where l.last_rank < l.returned
order by l.user_id asc
limit 1

-- name: duplicates
{#
message = "{recs}: item {item} appears more than once in the list of user {user}{model}; list it once, or choose how it counts with duplicates=; or does the table hold several lists of a user, such as one a day? give each its own `user_id`, or use a column fold{files}"
in_macro = "{recs}: item {item} appears more than once in the list of user {user}{model}; list it once, or choose how it counts with recsql macros --duplicates first -o FILE; or does the table hold several lists of a user? for days, write {day: dt, user_id: user_id} as user_id in both tables"
place = 5
on = ["hits"]
when = "duplicates == 'error' and not of_spans"
#}
select
    {{ sentence(item="h.item_id", user="h.user_id", model="coalesce(' and model ' || h.model, '')", files=per_file) | indent }} as message
from hits as h
where h.copies > 1
order by h.user_id asc, h.item_id asc
limit 1

-- name: input_order
{#
message = "{recs}: `rank` is {rank} for user {user}, item {item}; ties='input' needs the input order in the column rank"
place = 4
on = ["given_recs", "scored"]
when = "ties == 'input' and by_score"
#}
select
    {{ sentence(rank="r.rank", user="r.user_id", item="r.item_id") | indent }} as message
from given_recs as r
where r.rank is null{{ " and r.rank_by = 'score'" if any_order }}
order by r.user_id asc, r.item_id asc, message asc
limit 1

-- name: scores
{#
message = "{recs}: `score` is {score} for user {user}, item {item}; every score must be a finite number, not NULL or text"
place = 4
on = ["given_recs"]
when = "by_score"
#}
select
    {{ sentence(score="r.score", user="r.user_id", item="r.item_id") | indent }} as message
from given_recs as r
where
    (r.score is null or {{ sql.is_nan(double("r.score")) }} or {{ sql.is_infinite(double("r.score")) }}{{ " or typeof(r.score) in ('VARCHAR', 'BOOLEAN')" if named }})
{% if any_order %}
    and r.rank_by = 'score'
{% endif %}
order by r.user_id asc, r.item_id asc, message asc
limit 1

-- name: ties
{#
message = "{recs}: user {user} has items {one} and {other} with the same `score` {score}; use ties='item_asc' or 'item_desc', or rank the list yourself"
place = 5
on = ["scored"]
when = "ties == 'error'"
#}
select
    {{ sentence(user="r.user_id", one="min(r.item_id)", other="max(r.item_id)", score="r.score") | indent }} as message
from scored as r
{% if depth %}
where r.rank <= {{ depth }} + 1
{% endif %}
group by {{ model("r") }}r.user_id, r.score
having count(*) > 1
order by r.user_id asc, {{ model("r") }}r.score desc
limit 1

-- name: tied_copies
{#
message = "{recs}: item {item} appears more than once in the list of user {user}, which ties='{ties}' with duplicates='{duplicates}' does not support; list it once, or use duplicates='first'{files}"
place = 5
on = ["scored"]
when = "unordered and duplicates in ['hole', 'count', 'set']"
#}
select
    {{ sentence(item="r.item_id", user="r.user_id", ties="'" ~ ties ~ "'", duplicates="'" ~ duplicates ~ "'", files=per_file) | indent }} as message
from scored as r
group by {{ model("r") }}r.user_id, r.item_id
having count(*) > {{ "1" if duplicates == "set" or (expected and duplicates == "count" and needs.distinct_hits) else "count(distinct r.score)" }}
order by r.user_id asc, r.item_id asc
limit 1

-- name: impossible_ranks
{#
about = "ranks are not whole numbers that start at 1"
matters = "evaluate refuses them, because a rank of 0 or 1.5 is no place in a list"
advice = "number each list from 1 on with row_number(); if ranks start at 0, add 1"
severity = "error"
unit = "rows"
table = "recs"
column = "rank"
needs = ["recs.rank"]
when = "by_rank and 'means' not in tables"
#}
select
    {{ model_of("r") }},
    count(case when {{ is_no_rank() | indent }} then 1 end) as found,
    count(*) as total,
    {{ sql.text("min(case when " ~ is_no_rank() | indent ~ " then " ~ ("r.given_rank" if named else "r.rank") ~ " end)") }} as example
from given_recs as r{{ "\nwhere r.rank_by = 'rank'" if any_order }}
{{ group_by_model("r") }}
{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.rank
from given_recs as r
where {{ "r.rank_by = 'rank' and (" if any_order }}{{ is_no_rank() }}{{ ")" if any_order }}

-- name: rank_gaps
{#
about = "the ranks of a list have gaps, or do not begin at 1"
matters = "the items keep their ranks, so a gap counts as items that are not relevant"
advice = "if the lists were filtered after ranking, number them again with row_number()"
severity = {warning = 0.01, note = 0}
unit = "lists"
table = "recs"
column = "rank"
needs = ["recs.rank"]
when = "by_rank"
#}
select
    {{ model_of("f") }},
    count(case when f.last_place > f.items then 1 end) as found,
    count(*) as total,
    min(case when f.last_place > f.items then f.user_id end) as example
from list_facts as f
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items, f.last_place
from list_facts as f
where f.last_place > f.items

-- name: tied_ranks
{#
about = "items of one list have the same rank"
matters = "their order is arbitrary, so every metric that reads ranks is as well"
advice = "number each list with row_number(), or use rank_by='score'"
severity = "error"
unit = "lists"
table = "recs"
column = "rank"
needs = ["recs.rank"]
when = "by_rank and 'means' not in tables"
#}
select {{ model_of("f") }}, count(distinct o.user_id) as found, count(distinct f.user_id) as total, min(o.user_id) as example
from list_facts as f
left join repeated_ranks as o on {{ same_model("o", "f") }}o.user_id = f.user_id
{{ group_by_model("f") }}
{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.rank
from given_recs as r
inner join repeated_ranks as o on {{ same_model("o", "r") }}o.user_id = r.user_id and o.rank = r.rank

-- name: score_against_rank
{#
about = "scores contradict ranks"
matters = "if the ranks are upside down or of another run, the worst items are at the top"
advice = "order the lists with rank_by='score' if the scores are right; if low scores are the better ones, as distances are, ignore this finding"
in_macro = "if the scores are right, recsql macros --rank-by score -o FILE orders by them; if low ones are better, as distances are, ignore this finding"
severity = {error = 0.9, warning = 0.01}
unit = "lists"
table = "recs"
column = "score"
needs = ["recs.rank", "recs.score"]
when = "by_rank"
#}
{# The level quick only tells whether the first rank has the best score; full also whether the top k is in the order of its scores. #}
{% set against = "f.first_score < f.best" ~ (" or s.user_id is not null" if full else "") %}
select
    {{ model_of("f") }},
    count(case when {{ against }} then 1 end) as found,
    count(*) as total,
    min(case when {{ against }} then f.user_id end) as example
from list_facts as f
{% if full %}
left join (
    select distinct {{ model("s") }}s.user_id
    from (
        select
            {{ model("r") }}r.user_id,
            {{ score_down("r.score") }} as score,
            lag({{ score_down("r.score") }}) over (partition by {{ model("r") }}r.user_id order by r.place asc) as score_above
        from list_items as r
        where r.place <= {{ depth }}
    ) as s
    where s.score > s.score_above
) as s on {{ same_model("s", "f") }}s.user_id = f.user_id
{% endif %}
where f.scores > 1
{{ group_by_model("f") }}
{# rows #}
{% set list = "partition by " ~ model("r") ~ "r.user_id" %}
{# An item of the top k that scores better than the one above it; beyond, the first item with the best score, if rank 1 has a worse one. #}
select {{ model("s") }}s.user_id, s.item_id, s.rank, s.score, s.score_above
from (
    select
        {{ model("r") }}r.user_id,
        r.item_id,
        r.place as rank,
        r.score,
        lag(r.score) over ({{ list }} order by r.place asc) as score_above,
        min(case when f.first_score < f.best and {{ score_down("r.score") }} = f.best then r.place end) over ({{ list }}) as best_place
    from list_items as r
    inner join list_facts as f on {{ same_model("f", "r") }}f.user_id = r.user_id
    where f.scores > 1
) as s
where s.rank = s.best_place or (s.rank <= {{ depth }} and {{ score_down("s.score") }} > {{ score_down("s.score_above") }})

-- name: scores_not_finite
{#
about = "a score is NaN or infinite"
matters = "such items have no place in an order, so the ranks of their lists can't be trusted"
advice = "leave such items out before ranking: where isfinite(score)"
severity = "error"
unit = "lists"
table = "recs"
column = "score"
needs = ["recs.score"]
#}
{# NaN is the greatest number, so the ends of the scores tell. #}
{% set infinite %}
{{ sql.is_nan(double("f.best")) }} or {{ sql.is_infinite(double("f.best")) }} or {{ sql.is_infinite(double("f.least")) }}
{%- endset %}
select
    {{ model_of("f") }},
    count(case when {{ infinite }} then 1 end) as found,
    count(*) as total,
    min(case when {{ infinite }} then f.user_id end) as example
from list_facts as f
{{ group_by_model("f") }}
{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.score
from given_recs as r
where {{ sql.is_nan(double("r.score")) }} or {{ sql.is_infinite(double("r.score")) }}

-- name: constant_scores
{#
about = "all items of a list have the same score"
matters = "the scores do not order the list, so its order is arbitrary"
advice = "look at what the model predicts for one of these users, or average over all orders with ties='expected'"
severity = {warning = 0.1}
unit = "lists"
table = "recs"
column = "score"
needs = ["recs.score"]
unless = "the list has one item"
#}
select
    {{ model_of("f") }},
    count(case when f.best = f.least then 1 end) as found,
    count(*) as total,
    min(case when f.best = f.least then f.user_id end) as example
from list_facts as f
where f.scores > 1
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items, {{ score_down("f.best") }} as score
from list_facts as f
where f.scores > 1 and f.best = f.least

-- name: tied_scores_at_k
{#
about = "the items at ranks k and k + 1 have the same score"
matters = "which of them is in the top k is arbitrary"
advice = "average over all orders with rank_by='score' and ties='expected', or take the lowest value with ties='worst'"
in_macro = "average over all orders with recsql macros --rank-by score --ties expected -o FILE, or take the lowest value with --ties worst"
severity = {warning = "f.unordered = 1 and f.found > 0.1 * f.total", note = "true"}
said = "warning above 10 % of lists if lists are ordered by score and ties are broken by id, else note"
unit = "lists"
table = "recs"
column = "score"
needs = ["recs.score"]
#}
select
    {{ model_of("f") }},
    count(case when f.score_at_k = f.score_below_k then 1 end) as found,
    count(*) as total,
    min(case when f.score_at_k = f.score_below_k then f.user_id end) as example,
{% set by_id = ties in ["item_asc", "item_desc"] %}
    {{ "max(f.by_score)" if any_order and by_id else 1 if by_id and not by_rank else 0 }} as unordered
from list_facts as f
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items, f.score_at_k as score
from list_facts as f
where f.score_at_k = f.score_below_k

-- name: duplicate_items
{#
about = "an item is several times in the top k of one list"
matters = "each copy takes a rank, and a relevant one would count again"
advice = "list each item once, or say how copies count: with duplicates='first', the best rank alone does"
severity = {error = "f.refused = 1", warning = "true"}
said = "error if the item is relevant and duplicates is error, else warning; items that are not relevant on the level full only"
unit = "lists"
table = "recs"
column = "item_id"
unless = "duplicates is first, last or set"
when = """
not of_spans and (
    duplicates in ['hole', 'count'] or (duplicates == 'error' and (full or 'refusal' in tables or not hits_valued))
)"""
#}
{# Under duplicates = error, evaluate refuses relevant copies, so that they need not be looked for if it has values. #}
{% for copy, refused in [("relevant", 1 if duplicates == "error" else 0), ("other", 0)] %}
select
    {{ model_of("f") }},
    count(c.{{ copy }}) as found,
    count(*) as total,
    min({{ sql.text("c.user_id") }} || ', ' || {{ sql.text("c." ~ copy) }}) as example,
    {{ refused }} as refused
from list_facts as f
left join list_copies as c on {{ same_model("c", "f") }}c.user_id = f.user_id
{{ group_by_model("f") }}
{{ "union all" if not loop.last }}
{% endfor %}
{# rows #}
select {{ model("r") }}r.user_id, r.item_id, count(*) as copies
from list_items as r
where r.place <= {{ depth }}
group by {{ model("r") }}r.user_id, r.item_id
having count(*) > 1

-- name: short_lists
{#
about = "lists have fewer than k items"
matters = "the missing ranks count as items that are not relevant"
advice = "ask the model for at least k items, or lower k"
severity = {warning = 0.05, note = 0}
unit = "lists"
table = "recs"
unless = "no list has k items (k_beyond_lists)"
#}
{% set short = "f.items < " ~ depth %}
select
    {{ model_of("f") }},
    case when max(f.items) >= {{ depth }} then count(case when {{ short }} then 1 end) end as found,
    count(*) as total,
    min(case when {{ short }} then f.user_id end) as example
from list_facts as f
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items
from list_facts as f
where {{ "f.items < " ~ depth }}

-- name: k_beyond_lists
{#
about = "no list has k items"
matters = "k is in fact the length of the lists, so the value is not comparable with one of full lists"
advice = "lower k to the length of the longest list, or ask the model for at least k items"
severity = "warning"
unit = "lists"
table = "recs"
counts = "longest_list < k"
when = "not budgeted"
unless = "the catalogue has fewer than k items"
#}
select
    {{ model_of("f") }},
    case when max(f.items) < {{ depth }} then count(*) end as found,
    count(*) as total,
    {{ sql.text("max(f.items)") }} || case when max(f.items) = 1 then ' item' else ' items' end || ' in the longest' as example
from list_facts as f{% if not of_spans %}

where (select count(*) from item_ids as i) >= {{ depth }}{% endif %}

{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items
from list_facts as f
where f.items < {{ depth }}

-- name: list_lengths_differ
{#
about = "lists have fewer items up to k than those of another model"
matters = "the model with longer lists has more chances of a hit"
advice = "ask every model for at least k items, or lower k to what all of them have"
severity = "warning"
said = "if the mean length up to k is at least 10 % below that of another model"
unit = "items"
table = "recs"
when = "modelled and not budgeted"
#}
select
    p.model,
    case when p.mean <= 0.9 * p.longest then round(p.longest * p.lists - p.items) end as found,
    round(p.longest * p.lists) as total,
    {{ sql.text("round(p.mean, 1)") }} || ' items in a list, not ' || {{ sql.text("round(p.longest, 1)") }} as example
from (
    select m.*, max(m.mean) over () as longest
    from (
        select
            f.model,
            count(*) as lists,
            sum(least(f.items, {{ depth }})) as items,
            {{ double("sum(least(f.items, " ~ depth ~ "))") }} / count(*) as mean
        from list_facts as f
        group by f.model
    ) as m
) as p
{# rows #}
select f.model, count(*) as lists, {{ double("sum(least(f.items, " ~ depth ~ "))") }} / count(*) as mean_length
from list_facts as f
group by f.model
