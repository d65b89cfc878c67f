{#
The users of the mean, their statistics at each cut-off, and their metrics.

Goes in: users, the lengths of the lists, and hits_at_k. Comes out: population, one row per model and user in the
mean; at_k, one row per model, user and cut-off, with the statistics that the metrics read; per_user, the metrics.
#}
{% set users_read = (of_users or reported) and "truth" in tables %}
{# Equal scores count where scores order the list. #}
{% set score = "case when r.rank_by = 'score' then r.score end" if any_order else "r.score" %}
{% set counted_alone = not modelled and not (of_users and (needs.lengths or served_alone or owners_count)) %}

-- name: list_ranks (fast)
{#
row = "one row per model and user with a list: its number of rows, its last rank, and a hash of its ranks"
#}
{% set rank = "case when r.rank_by = 'rank' then r.rank end" if any_order else "r.rank" if by_rank else "null" %}
{% if from_lists %}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    max({{ sql.length("r.items") }}) as last_rank,
    cast(sum({{ sql.length("r.items") }}) as bigint) as returned
from given_lists as r
where {{ sql.length("r.items") }} > 0
group by {{ model("r") }}r.user_id
{% else %}
{% macro rows(grouping, alone, condition="") %}
{# For steps besides the report, DuckDB needs an estimate of the number of groups, which it lacks for an expression. #}
{% set user = sql.not_narrowed("r.user_id") if alone else "r.user_id" %}
select
{% if grouping %}
    r.model,
{% elif modelled %}
    null as model,
{% endif %}
    {{ user }}{{ " as user_id" if alone }},
{% if lengths_count %}
    max({{ rank }}) as last_rank,
{% endif %}
{% if by_rank %}
    bit_xor({{ sql.salted_hash("try_cast(" ~ rank ~ " as bigint)") }}) as ranks,
{% endif %}
    count(*) as returned{% if ties_counted %},
    {{ sql.best(score, cuts[-1] + 1, order) }} as best{% endif %}

from given_recs as r{% if condition %}

where {{ condition }}{% endif %}

group by {{ "r.model, " if grouping }}{{ user }}
{% endmacro %}
{% if named and modelled %}
{# Whether the table has models is known before the query runs, so that DuckDB drops the other half. #}
{{ rows(true, false, "r.has_model") | trim }}
union all
{{ rows(false, true, "not r.has_model") }}
{% else %}
{{ rows(modelled, counted_alone) }}
{% endif %}
{% endif %}

-- name: lists
{#
row = "one row per model and user with a list"
#}
{% set rank = "case when r.rank_by = 'rank' then r.rank end" if any_order else "r.rank" if by_rank else "null" %}
{% macro rows() %}
{% if closed_up %}
{# A list whose items are all removed is still a list. #}
(
    select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.rank_by" if any_order }}{{ ", r.score" if ties_counted }}
    from {{ recs }} as r
    union all
    select distinct {{ model("r") }}r.user_id, null as item_id, null as rank{{ ", r.rank_by" if any_order }}{{ ", null as score" if ties_counted }}
    from given_recs as r
)
{%- else %}
given_recs
{%- endif %}
{% endmacro %}
{% set best = ", " ~ sql.best("i.score" if folded else score, cuts[-1] + 1, order) ~ " as best" if ties_counted else "" %}
{% if not (is_read("lists", "returned") or is_read("lists", "last_rank")) %}
select distinct {{ model("r") }}r.user_id
from given_recs as r
{% elif folded %}
select {{ model("i") }}i.user_id, count(i.item_id) as returned{{ ", coalesce(max(i.last_rank), sum(i.copies)) as last_rank" if lengths_count and duplicates == "set" else ", count(i.item_id) + max(i.last_rank) - sum(i.copies) as last_rank" if lengths_count }}{{ best }}
from (
    select {{ model("r") }}r.user_id, r.item_id, {{ "count(r.item_id)" if closed_up else "count(*)" }} as copies, max({{ rank }}) as last_rank{% if ties_counted %}, {{ "min" if (duplicates == "last") == (order == "desc") else "max" }}({{ score }}) as score{% endif %}

    from {{ rows() | indent }} as r
    group by {{ model("r") }}r.user_id, r.item_id
) as i
group by {{ model("i") }}i.user_id
{% elif closed_up %}
select {{ model("r") }}r.user_id, count(r.item_id) as returned{{ ", max(" ~ rank ~ ") as last_rank" if lengths_count }}{{ best }}
from {{ rows() }} as r
group by {{ model("r") }}r.user_id
{% else %}
select {{ model("r") }}r.user_id, count(*) as returned{{ ", max(" ~ rank ~ ") as last_rank" if lengths_count }}{{ best }}
from given_recs as r
group by {{ model("r") }}r.user_id
{% endif %}

-- name: lists (fast)
{#
buys = "see doubtful_recs: the recommendations are grouped by user once instead of twice"
when = "not folded and not closed_up"
#}
select {{ model("n") }}n.user_id, n.returned{{ ", n.last_rank" if lengths_count }}{{ ", n.best" if ties_counted }}
from list_ranks as n

-- name: gaps
{#
row = "one row per list whose ranks have gaps, with its ranks in order"
#}
select {{ model("i") }}i.user_id, {{ sql.ordered_list("i.rank", "i.rank") }} as ranks
from (
    select {{ model("r") }}r.user_id, r.item_id, min(r.rank) as rank
    from {{ ranked_rows }} as r
    inner join lists as l on {{ same_model("l", "r") }}l.user_id = r.user_id
    where l.last_rank <> l.returned
    group by {{ model("r") }}r.user_id, r.item_id{{ ", r.rank" if duplicates != "set" }}
) as i
group by {{ model("i") }}i.user_id

-- name: owners
{#
row = "one row per part and model with a list in that part"
#}
select distinct p.part, p.model
from given_parts as p
where p.has_lists

-- name: models
{#
row = "one row per model; one row without a name if nothing is recommended"
#}
{% if "scores" in tables %}
select distinct s.model
from {{ "score_rows" }} as s
{% elif "recs" in tables and tables.recs.models %}
{% for name in tables.recs.models %}
select {{ sql.text(literal(name)) }} as model
{% if not loop.last or partial %}
union all
{% endif %}
{% endfor %}
{% if partial %}
select chr(1) as model -- stands for a model without lists
{% endif %}
{% elif modelled %}
select distinct r.model
from {{ listing }} as r
union all
{% if partial %}
select chr(1) as model -- stands for a model without lists
{% else %}
select {{ sql.text("null") }} as model
where not exists (select 1 from {{ listing }} as r)
{% endif %}
{% else %}
select {{ sql.text("null") }} as model
{% endif %}

-- name: missed
{#
row = "one row per model and relevant item that is no hit in the top k: its rank below k, or NULL if it is not listed"
grain = "hit"

[options.missed]
about = "whether hits also has the relevant items that lists miss"
topic = "relevance"
default = "false"
alone = "true"

[options.missed.values]
false = "it has the rows of the lists up to k"
true = "also the relevant items that are not there, with their rank below k if they are listed, and for users without a list"
#}
select
{% if modelled %}
    m.model,
{% endif %}
    t.user_id,
    t.item_id,
    t.gain,
    min(b.rank) as rank
from relevant as t
cross join models as m
left join hits_in_force as h on {{ same_model("h", "m") }}h.user_id = t.user_id and h.item_id = t.item_id
left join {{ ranked_rows }} as b on {{ same_model("b", "m") }}b.user_id = t.user_id and b.item_id = t.item_id
where h.item_id is null{{ " and " ~ literal(missed) ~ " = 'true'" if named }}
group by {{ model("m") }}t.user_id, t.item_id, t.gain

-- name: candidates
{#
row = "one row per model and user that a policy may count"
#}
{% if served_alone and owners_count %}
{# Whoever has a list counts. #}
select {{ model("l") }}l.user_id
from lists as l{{ guard("id_types", before="where", left="recs", right="users", columns=["user_id"]) if fixed }}
{% else %}
select {{ model("m") }}u.user_id
from models as m
cross join users as u{{ guard("id_types", before="where", left="recs", right="users", columns=["user_id"]) if fixed }}{% if truthless and no_truth not in ["skip", "error"] %}

union
select {{ model("m") }}t.user_id
from models as m
cross join given_truth as t{% endif %}{% if owners_count %}

union
select {{ model("l") }}l.user_id
from lists as l{% endif %}{% if fixed and no_truth in ["zero", "one", "one_if_both_empty"] %}

union
select {{ model("m") }}g.user_id
from models as m
cross join given_users as g{% endif %}
{% endif %}

-- name: members
{#
row = "one row per model and user that the policies count"
#}
select {{ model("c") }}c.user_id
from candidates as c
{% if served_alone and not owners_count %}
inner join lists as l on {{ same_model("l", "c") }}l.user_id = c.user_id
{% endif %}
{% if fixed %}
inner join given_users as g on g.user_id = c.user_id
{% endif %}
where c.user_id is not null

-- name: population
{#
row = "one row per model and user in the mean, with the number of relevant items"
plain_row = "one row per model and user in the mean"
inline = true

[options.no_recs]
about = "what happens to a user with relevant items but no list; skip leaves out all users without a list, whatever no_truth says"
topic = "population"
default = "zero"

[options.no_recs.values]
zero = "counted as an empty list, which has 0 for most metrics"
skip = "left out"
#}
{% set relevant_read = is_read("population", "relevant") %}
select
{% if modelled %}
    m.model,
{% endif %}
    {{ "u" if plain_population else "m" }}.user_id{% if profiled %},
    u.profile{% endif %}{% if needs.entries %},
    e.entries{% endif %}{% if needs.lengths %},
    l.returned{% endif %}{% if needs.ranks %},
    g.ranks{% endif %}{% if relevant_read %},
    {{ "u.relevant" if users_read else "0 as relevant" }}{% endif %}

{% if plain_population %}
from models as m
cross join users as u{% else %}
from members as m{% if users_read and relevant_read %}

left join users as u on u.user_id = m.user_id{% endif %}{% endif %}{% if needs.entries %}

left join entries as e on e.user_id = {{ "u" if plain_population else "m" }}.user_id{% endif %}{% if needs.lengths %}

left join lists as l on {{ same_model("l", "m") }}l.user_id = {{ "u" if plain_population else "m" }}.user_id{% endif %}{% if needs.ranks %}

left join gaps as g on {{ same_model("g", "m") }}g.user_id = {{ "u" if plain_population else "m" }}.user_id{% endif %}

-- name: first_hits (fast)
{#
row = "one row per model and user in the mean: the user's columns, and the first cut-off at which the user has a hit"
#}
select
{% if modelled %}
    u.model,
{% endif %}
    u.user_id,
    {{ of_user() }},
    {{ "h.k" if needs.hits_at_k else "null" }} as first_k
from population as u{% if needs.hits_at_k %}

left join (
    select {{ model("h") }}h.user_id, min(h.k) as k
    from hits_at_k as h
    group by {{ model("h") }}h.user_id
) as h on {{ same_model("h", "u") }}h.user_id = u.user_id{% endif %}

-- name: alike (fast)
{#
row = "one row per model and group of users with the same number of relevant items, gains, list length and first cut-off with a hit"
#}
select {{ model("u") }}min(u.user_id) as user_id, {{ of_user() }}, u.first_k, count(*) as users
from first_hits as u{% if perhaps_clustered %}

left join clusters as c on c.user_id = u.user_id{% endif %}

group by {{ model("u") }}{{ of_user() }}, u.first_k{% if perhaps_clustered %}, c.cluster, case when c.cluster is null and (c.user_id is not null or u.relevant is null) then u.user_id end{% endif %}


-- name: users_at_k
{#
row = "one row per model, cut-off and user in the mean: the columns of the user, and the statistics of the hits"
plain_row = "one row per model, cut-off and user in the mean: the statistics of the hits, NULL without a hit"
#}
select
{% if modelled %}
    u.model,
{% endif %}
    u.user_id,
    c.k,
{% for one in statistics("hits") %}
    h.{{ one }},
{% endfor %}
    {{ of_user() }}
from population as u
cross join cutoffs as c{% if needs.hits_at_k %}

left join hits_at_k as h on {{ same_model("h", "u") }}h.user_id = u.user_id and h.k = c.k{% endif %}

-- name: users_at_k (fast)
{#
row = "one row per model, cut-off and user or group of alike users: the columns of the user, and the statistics of the hits"
buys = "all metrics of 50 million rows at ten cut-offs take 5.9 CPU seconds instead of 9.0, six metrics at four 3.6 instead of 4.2"
when = "grouped or (sparse and needs.hits_at_k)"
#}
{% macro columns(k, users, hits) %}
{% if modelled %}
    u.model,
{% endif %}
    u.user_id,
    {{ k }},
{% if grouped %}
    {{ users }},
{% endif %}
{% for one in statistics("hits") %}
    {{ hits }}{{ one }},
{% endfor %}
    {{ of_user() }}
{% endmacro %}
{% if sparse %}
{# The join starts with users who have hits, who are few: an engine that joins in the written order then handles fewer rows. #}
select
{{ columns("h.k", "", "h.") }}
from hits_at_k as h
inner join population as u on {{ same_model("u", "h") }}u.user_id = h.user_id
{% else %}
{% if needs.hits_at_k %}
select
{{ columns("h.k", "1 as users", "h.") }}
from hits_at_k as h
inner join {{ "population" if named else "first_hits" }} as u on {{ same_model("u", "h") }}u.user_id = h.user_id
union all
{% endif %}
select
{{ columns("c.k", "u.users", "null as ") }}
from alike as u
inner join cutoffs as c on c.k < u.first_k or u.first_k is null
{% if named and others_are_zero and not needs.whole_list %}
{# As with sparse, users without a hit are only counted if each metric that the call names is 0 for them. #}
where list_has_any(recsql.meanings({{ asked_metrics }}), ['{{ user_columns | rejectattr("zero_without_hits") | map(attribute="metric") | join("', '") }}']){% if perhaps_clustered %}

    or exists (select 1 as one from clusters as c){% endif %}

{% endif %}
{% endif %}

-- name: discounts
{#
row = "a single row: the discounts of the ranks 1, 2, ... up to the length of the longest ideal list, or of the longest list that is measured"
#}
{% macro longest() %}(select coalesce(max(u.relevant), 0) from users as u){% endmacro %}
{% set of_ideals %}
{% if ideal == "constant" %}
{{ deepest }}
{%- elif ideal == "truth_uncut" %}
{{ longest() }}
{%- else %}
least({{ depth }}, {{ longest() }})
{%- endif %}
{% endset %}
{% set of_lists = "(select coalesce(max(l.returned), 0) from lists as l)" if uncut and discovery_depth == "returned" else deepest %}
{% set last = of_ideals if not needs.discount_total else "greatest(" ~ of_lists ~ ", " ~ of_ideals ~ ")" if needs.idcg else of_lists %}
select {{ sql.ordered_list(sql.in_units(discount_at("n.i")), "n.i") }} as weights
from {{ sql.whole_numbers(1, last) }} as n

-- name: histories
{#
row = "one row per user in train: the number of their items that are candidates and not relevant"
#}
select t.user_id, count(distinct t.item_id) as items
from given_train as t
{% if candidates is not none %}
inner join given_candidates as c on c.user_id = t.user_id and c.item_id = t.item_id
{% elif items is not none %}
inner join (select distinct i.item_id from given_items as i) as c on c.item_id = t.item_id
{% endif %}
left join relevant as r on r.user_id = t.user_id and r.item_id = t.item_id
where r.item_id is null{{ guard("id_types", left="recs", right="train", columns=["user_id", "item_id"]) }}
group by t.user_id

-- name: candidate_counts
{#
row = "one row per user with candidates: their number"
#}
select c.user_id, count(distinct c.item_id) as items
from given_candidates as c
where c.item_id is not null{{ guard("id_types", left="recs", right="candidates", columns=["user_id", "item_id"]) | indent }}
group by c.user_id

-- name: at_k
{#
row = "one row per model, cut-off and user or group of alike users: the statistics that the metrics read"
plain_row = "one row per model, cut-off and user: the statistics that the metrics read"
#}
select
{% if modelled %}
    u.model,
{% endif %}
    u.user_id,
{% if grouped %}
    u.users,
{% endif %}
    u.k{% for step in sums("at_k") %}{% for one in statistics(step.over) %},
    {{ column_of(one) | indent }}{% endfor %}{% endfor %}{% for one in statistics("user") %},
    {{ column_of(one) | indent }}{% endfor %}{% if user_needs("catalog_size") %},
    {{ double("(select count(distinct i.item_id) from given_items as i)" if catalog_size is none else catalog_size) }} as catalog_size{% endif %}

from users_at_k as u{% for step in sums("at_k") %}{% if step.name != "hits_at_k" %}

left join {{ step.name }} as {{ step.alias }} on {{ same_model(step.alias, "u") }}{{ step.alias }}.user_id = u.user_id and {{ step.alias }}.k = u.k{% endif %}{% endfor %}{% for join in joins("user") %}

{{ join }}{% endfor %}

-- name: per_user
{#
row = "one row per model, cut-off and user or group of alike users: the metrics"
plain_row = "one row per model, cut-off and user: the metrics"
#}
select
{% if modelled %}
    s.model,
{% endif %}
    s.user_id,
{% if grouped %}
    s.users,
{% endif %}
{% if target in ["per_user", "differences"] %}
{% if zero_ideal == "skip" %}
    s.relevant = 0 or {{ has_ideal() }} as is_counted,
{% endif %}
    s.list_length,
    s.relevant,
{% endif %}
    s.k{% for column in user_columns %},
    {{ aliased(column.value, column.name) | indent }}{% endfor %}

from at_k as s

-- name: metric_values
{#
row = "one row per model, cut-off, user or group of alike users, and requested metric: its value"
#}
{% if "scores" in tables %}
select
    v.model,
    v.user_id,
    v.cell as place,
    v.k,
    case when v.there = c.models then v.value end as value,
    v.there < c.models as unpaired
from (select s.*, count(s.value) over (partition by s.cell, s.user_id) as there from {{ "score_rows" }} as s) as v
inner join (select s.cell, count(distinct s.model) as models from {{ "score_rows" }} as s group by s.cell) as c on c.cell = v.cell
{% else %}
{% set there = "count(v.value) over (partition by v.place, v.k, v.user_id)" %}
select
    {{ model("v") }}v.user_id, {{ "v.users, " if grouped }}v.k, v.place, {% if ranked %}case when {{ there }} = n.models then v.value end as value,
    {{ there }} between 1 and n.models - 1 as unpaired{% else %}v.value{% endif %}

from (
    select
{% if modelled %}
        p.model,
{% endif %}
        p.user_id,
{% if grouped %}
        p.users,
{% endif %}
        p.k,
        unnest(range(1, {{ user_columns | length + 1 }})) as place,
        unnest([{% for column in user_columns %}{{ ", " if not loop.first }}p.{{ column.name }}{% endfor %}]) as value
    from per_user as p
) as v
{% if ranked %}
cross join (select count(*) as models from models as m) as n
{% endif %}
{# A metric that is asked for by two of its names is one row. #}
where v.place in (
    select a.place
    from (
        {{ asked_rows() | indent(8) }}
    ) as a
)
{% endif %}
