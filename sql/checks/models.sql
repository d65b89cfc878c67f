{#
The lists beside the truth: users without a list, values that are too good, and models that are alike.
#}

-- name: users_without_list
{#
about = "users with relevant items have no list"
matters = "under the default convention their value is that of an empty list, 0 for most metrics"
advice = "give every user of the truth a list, or leave them out with no_recs='skip'"
severity = {warning = 0.05, note = 0}
unit = "users"
table = "recs"
column = "user_id"
counts = "users_without_list > 0"
#}
select
    {{ model_of("m") }},
    count(case when f.user_id is null then 1 end) as found,
    count(*) as total,
    min(case when f.user_id is null then u.id end) as example
from list_models as m
inner join user_ids as u on u.in_truth = 1
left join list_facts as f on {{ same_model("f", "m") }}f.user_id = u.id
{{ group_by_model("m") }}
{# rows #}
select {{ model("m") }}u.id as user_id
from list_models as m
inner join user_ids as u on u.in_truth = 1
left join list_facts as f on {{ same_model("f", "m") }}f.user_id = u.id
where f.user_id is null

-- name: lists_without_truth
{#
about = "users with a list have no relevant items"
matters = "under the default convention they are not in the mean"
advice = "count them as 0 with no_truth='zero' if they should be in the mean"
severity = "note"
unit = "lists"
table = "truth"
column = "user_id"
counts = "lists_without_truth > 0"
#}
select
    {{ model_of("f") }},
    count(case when u.in_truth = 0 then 1 end) as found,
    count(*) as total,
    min(case when u.in_truth = 0 then u.id end) as example
from list_facts as f
inner join user_ids as u on u.id = f.user_id
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items
from list_facts as f
inner join user_ids as u on u.id = f.user_id
where u.in_truth = 0

-- name: coverage_differs
{#
about = "users have a list of another model, but not of this one"
matters = "each model is measured on other users, or gets 0 where another one has a list"
advice = "check that no list is missing; if that is how it is, compare on the users whom both models serve, with recsql.compare and users='intersection'"
in_macro = "check that no list is missing; if that is how it is, compare on the users of all models: recsql macros --users intersection -o FILE"
severity = {warning = 0.01, note = 0}
unit = "users"
table = "recs"
column = "user_id"
when = "modelled"
counts = "users_without_list > 0"
message = "{model} and {baseline}{more} have lists for different users: {own} and {others} of the {users} with truth, {shared} in common; check that no list is missing{way}"
warns = "pairs_reported"
on = ["given_paired"]
#}
{# Of the users with truth who have a list of any model, those without one of this model. #}
select
    m.model,
    count(case when f.user_id is null then 1 end) as found,
    count(*) as total,
    min(case when f.user_id is null then u.id end) as example
from list_models as m
inner join user_ids as u on u.in_recs = 1 and u.in_truth = 1
left join list_facts as f on {{ same_model("f", "m") }}f.user_id = u.id
group by m.model
{# rows #}
select m.model, u.id as user_id
from list_models as m
inner join user_ids as u on u.in_recs = 1 and u.in_truth = 1
left join list_facts as f on {{ same_model("f", "m") }}f.user_id = u.id
where f.user_id is null
{# sentence #}
{% set way = "''" if served_alone else literal(", or compare on these with users='intersection'") %}
{# The pair that differs for the most users, if that is more than 1 % of those with a list. #}
{% set more = "case when c.pairs > 1 then ' (and ' || " ~ sql.text("c.pairs - 1") ~ " || ' more)' else '' end" %}
select
    {{ sentence(model="c.model", baseline="c.baseline", own="c.own", others="c.others", users="c.users", shared="c.shared", more=more, way=way) | indent }} as message
from (
    select
        p.*,
        count(*) over () as pairs,
        row_number() over (order by p.own + p.others - 2 * p.shared desc nulls last, p.model asc nulls first, p.baseline asc nulls first) as place
    from (
        select
            p.model,
            p.baseline,
            max(p.users_with_truth) as users,
            max(p.all_lists - p.lists_without_truth) as own,
            max(p.base_all_lists - p.base_lists_without_truth) as others,
            max(p.shared_lists) as shared
        from given_paired as p
        group by p.model, p.baseline{{ ", p.dataset" if datasets }}
    ) as p
    where p.own + p.others - 2 * p.shared > 1e-2 * (p.own + p.others - p.shared)
) as c
where c.place = 1

-- name: first_places_differ
{#
about = "of interleaved lists, one team has the first place more often than a fair coin gives it"
matters = "the first place gets the most clicks, so that the draft decides the result, and not the models"
advice = "let a coin choose for each session which team begins, and take only sessions that were drafted so"
severity = "error"
said = "error if two teams share the ranks of their sessions, and the binomial test of their first places has p < 0.001"
unit = "users"
table = "recs"
column = "rank"
when = "modelled and by_rank"
#}
{# Lists that are not interleaved all have a rank 1, so no user has only one. #}
select
    n.model,
    case when {{ half_tail("n.firsts", n="n.sessions") | indent }} < 5e-4 then n.firsts end as found,
    n.sessions as total,
    n.example
from (
    select
        s.model,
        {{ double("count(*)") }} as firsts,
        {{ double("sum(count(*)) over ()") }} as sessions,
        max(max(s.firsts)) over () as most_firsts,
        max(max(s.lists)) over () as most_lists,
        min(s.user_id) as example
    from (
        select
            f.user_id,
            min(case when f.first_place = 1 then f.model end) as model,
            count(case when f.first_place = 1 then 1 end) as firsts,
            count(*) as lists
        from list_facts as f
        group by f.user_id
        having count(*) > 1 and min(f.first_place) = 1
    ) as s
    group by s.model
) as n
where n.most_firsts = 1 and n.most_lists = 2 and n.firsts > n.sessions / 2 and (select count(*) from list_models as m) = 2
{# rows #}
select f.model, f.user_id
from list_facts as f
inner join list_facts as o on o.user_id = f.user_id and o.model <> f.model
where f.first_place = 1 and o.first_place > 1

-- name: few_users
{#
about = "the truth has fewer than 200 users with relevant items"
matters = "differences of a few hundredths are within chance"
advice = "add interval=0.95, and compare models with recsql.compare"
in_macro = "use recsql.evaluate_with_interval, and compare models with recsql.compare"
severity = "warning"
unit = "users"
table = "truth"
column = "user_id"
counts = "users_with_truth < 200"
#}
select
    {{ sql.text("null") }} as model,
    case when count(*) < 200 then count(*) end as found,
    {{ sql.text("null") }} as total,
    min(u.id) as example
from user_ids as u
where u.in_truth = 1
{# rows #}
select u.id as user_id
from user_ids as u
where u.in_truth = 1

-- name: no_hits
{#
about = "no user has a hit in the top k"
matters = "every value is 0, which real models hardly ever reach"
advice = "look at one user with recsql explain --user-id, and compare the ids of both tables"
in_macro = "look at one user with recsql.hits, and compare the ids of both tables"
severity = {error = "f.total >= 688", warning = "true"}
said = "warning; error from 688 users on, where a model with a hit for 1 % of the users would have none with a probability of 0.001"
unit = "users"
table = "recs"
column = "item_id"
needs = ["means"]
unless = "candidates are given"
when = "candidates is none"
#}
select {{ model_of("m") }}, m.users as found, m.users as total, {{ sql.text("null") }} as example
from given_means as m
where m.metric = 'hit' and m.value = 0
{# rows #}
select {{ model("m") }}m.metric, m.value, m.users
from given_means as m
where m.metric = 'hit' and m.value = 0

-- name: perfect_score
{#
about = "the value of a metric that depends on the order of the list is the best possible one, or almost"
matters = "real models hardly ever reach it, unless they have seen the truth or k is close to the number of items to choose from"
advice = "check that no list is made from the truth, and that train ends before the truth begins"
severity = {error = "f.value > 1 - 1e-9", warning = "true"}
said = "error at 1, warning from 0.95; both over at least 20 users"
unit = "users"
table = "recs"
column = "item_id"
needs = ["means"]
unless = "candidates are given"
when = "candidates is none and not named"
#}
select {{ model_of("m") }}, coalesce(m.best, 0) as found, m.users as total, m.metric as example, m.value
from given_means as m
where m.value >= 0.95 and m.best is not null and m.ordered and m.users >= 20
{# rows #}
select {{ model("m") }}m.metric, m.value, m.users
from given_means as m
where m.value >= 0.95 and m.best is not null and m.ordered and m.users >= 20

-- name: saturated
{#
about = "most users have the best possible value in every model"
matters = "there is nothing left to win, so the models can't be told apart"
advice = "lower k, rank more candidates, or choose a metric that reads ranks, such as ndcg"
severity = "warning"
said = "warning above 90 % of at least 20 users"
unit = "users"
table = "truth"
needs = ["means"]
unless = "the value is 1 and the metric depends on the order of the list (perfect_score)"
#}
select {{ sql.text("null") }} as model, min(m.best) as found, min(m.users) as total, m.metric as example
from given_means as m
group by m.metric
having min(m.users) >= 20 and count(m.best) = count(*) and min({{ double("m.best") }} / m.users) > 0.9{{ " and max(case when m.ordered then m.value else 0e0 end) < 1 - 1e-9" if candidates is none and not named }}
{# rows #}
select {{ model("m") }}m.metric, m.value, m.best as users_with_best, m.users
from given_means as m
where {{ double("m.best") }} / m.users > 0.9

-- name: below_popularity
{#
about = "the most popular items of train have hits for more users than the model has"
matters = "a model that does not know the users is better, so the model, its ids or the order of its lists may be wrong"
advice = "compare both with recsql.compare and the lists of recsql.popularity(train)"
severity = "warning"
unit = "users"
table = "recs"
needs = ["train.user_id"]
level = "full"
when = "candidates is none"
unless = "the difference is within chance, two standard errors"
#}
select
    {{ model_of("u") }},
    case when u.missed - u.gained > 2 * sqrt(u.missed + u.gained) then u.missed end as found,
    u.users as total,
    'hit ' || {{ sql.text("round(" ~ double("u.hits") ~ " / u.users, 4)") }} || ', popularity ' || {{ sql.text("round(" ~ double("u.popular") ~ " / u.users, 4)") }} as example
from (
    select
        {{ model("f") }}count(*) as users,
        count(case when h.hits_at_k > 0 then 1 end) as hits,
        count(p.user_id) as popular,
        count(case when p.user_id is not null and coalesce(h.hits_at_k, 0) = 0 then 1 end) as missed,
        count(case when p.user_id is null and h.hits_at_k > 0 then 1 end) as gained
    from list_facts as f
    inner join user_ids as u on u.id = f.user_id and u.in_truth = 1
    left join list_hits as h on {{ same_model("h", "f") }}h.user_id = f.user_id
    left join popular_hits as p on p.user_id = f.user_id
    {{ group_by_model("f") }}
) as u
where u.users > 0
{# rows #}
select {{ model("f") }}f.user_id
from list_facts as f
inner join popular_hits as p on p.user_id = f.user_id
left join list_hits as h on {{ same_model("h", "f") }}h.user_id = f.user_id
where coalesce(h.hits_at_k, 0) = 0

-- name: popularity_order
{#
about = "neighbours in the lists are in the order of their popularity in train"
matters = "the lists are hardly personal, whatever the model is called"
advice = "compare with the lists of recsql.popularity(train), and look at what the score is made of"
severity = {warning = 0.9}
unit = "pairs"
table = "recs"
needs = ["train"]
level = "full"
unless = "the model has pop in its name, or there are fewer than 20 pairs of neighbours that differ in popularity"
#}
{% set ordered %}
select
    {{ model("r") }}r.user_id,
    r.item_id,
    r.place,
    i.train_rows as events,
    lag(i.train_rows) over (partition by {{ model("r") }}r.user_id order by r.place asc) as before
from list_items as r
inner join item_rows as i on i.id = r.item_id
where r.place <= {{ depth }}{{ " and coalesce(lower(r.model), '') not like '%pop%'" if modelled }}
{% endset %}
select
    {{ model_of("n") }},
    case when count(*) >= 20 then count(case when n.before > n.events then 1 end) end as found,
    count(*) as total,
    min(case when n.before > n.events then {{ sql.text("n.user_id") }} end) as example
from (
    {{ ordered | trim | indent }}
) as n
where n.before <> n.events
{{ group_by_model("n") }}
{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.place, i.train_rows
from list_items as r
inner join item_rows as i on i.id = r.item_id
where r.place <= {{ depth }}

-- name: same_list_for_many
{#
about = "many users have the same list up to k"
matters = "for them the model is not personal, as if it fell back to a list for everybody"
advice = "check that these users are known to the model, and that no default list stands in for them"
severity = {warning = "f.found > 0.2 * f.total and f.popular = 0", note = "f.found > 0.2 * f.total"}
said = "warning if more than 20 % of the lists are the same; note if train is given and these have its most popular items"
unit = "lists"
table = "recs"
column = "item_id"
unless = "there are fewer than 20 lists"
#}
{# In the list that most users have, each item may be at least as popular in train as the k-th most popular one. #}
{% set with_train = "train" in tables %}
{% set by = "partition by g.model " if modelled else "" %}
select
    {{ model_of("g") }},
    g.found,
    g.total,
    {{ sql.text("g.user_id") }} as example,
{% if with_train %}
    case when min(coalesce(i.train_rows, 0)) >= (select min(p.events) from popular_items as p where p.place <= {{ depth }}) then 1 else 0 end as popular
{% else %}
    0 as popular
{% endif %}
from (
    select
        g.*,
        sum(g.found) over ({{ by }}) as total,
        row_number() over ({{ by }}order by g.found desc, g.user_id asc) as place
    from (
        select {{ model("f") }}count(*) as found, min(f.user_id) as user_id
        from list_facts as f
        where f.top is not null
        group by {{ model("f") }}f.top
    ) as g
) as g
{% if with_train %}
inner join list_items as r on {{ same_model("r", "g") }}r.user_id = g.user_id and r.place <= {{ depth }}
left join item_rows as i on i.id = r.item_id
{% endif %}
where g.place = 1 and g.total >= 20
{% if with_train %}
group by {{ model("g") }}g.found, g.total, g.user_id
{% endif %}
{# rows #}
{% set by = "partition by g.model " if modelled else "" %}
select {{ model("f") }}f.user_id, f.items
from list_facts as f
inner join (
    select
        g.*,
        sum(g.lists) over ({{ by }}) as total,
        row_number() over ({{ by }}order by g.lists desc, g.user_id asc) as place
    from (
        select {{ model("f") }}f.top, count(*) as lists, min(f.user_id) as user_id
        from list_facts as f
        where f.top is not null
        group by {{ model("f") }}f.top
    ) as g
) as g on {{ same_model("g", "f") }}g.top = f.top
where g.place = 1 and g.total >= 20 and g.lists > 0.2 * g.total

-- name: identical_models
{#
about = "the lists up to k are those of another model"
matters = "they are one model under two names, or one file was read twice"
advice = "check the paths and names of both models"
severity = {warning = "f.found >= 0.99 * f.total"}
said = "warning from 99 % of the users with a list of both"
unit = "users"
table = "recs"
column = "model"
when = "modelled"
#}
{# Each model beside the earlier one that it has the most lists in common with: of three equal models, two are copies. #}
select p.model, p.found, p.total, p.other as example
from twins as p
where p.place = 1
{# rows #}
select p.other as model, p.model as same_as, a.user_id
from twins as p
inner join list_facts as a on a.model = p.other
inner join list_facts as b on b.model = p.model and b.user_id = a.user_id and b.top = a.top
where p.place = 1 and p.found >= 0.99 * p.total

-- name: judged_differs
{#
about = "items in the top k have no row in the truth, and the lists of another model have far fewer of them"
matters = "what nobody judged counts as not relevant, so a model that finds what others don't is measured too low"
advice = "evaluate with judged_only=True beside it, and judge the missing items"
severity = "warning"
said = "warning if the mean judged share of a model's lists is more than 0.1 below the highest"
unit = "items"
table = "truth"
column = "item_id"
counts = "idle_truth != 0"
when = "modelled and graded and judged_only == 'false' and not of_spans"
unless = "the truth has no row that is judged not relevant, or judged_only is given"
#}
{% macro share(x) %}{{ sql.text("round(" ~ x ~ ", 2)") }}{% endmacro %}
select
    m.model,
    case when m.gap > 1e-1 then m.items - m.judged end as found,
    m.items as total,
    m.model || ' ' || {{ share("m.share") }} || ', ' || m.best_model || ' ' || {{ share("m.best_share") }} as example
from judged_means as m
{# rows #}
select
    row_number() over (order by count(*) desc, r.item_id asc) as place,
    r.item_id,
    count(*) as lists
from recommended as r
inner join judged_lists as l on l.model = r.model and l.user_id = r.user_id
inner join judged_means as m on m.model = r.model and m.gap > 1e-1
left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
where j.item_id is null and r.rank <= {{ depth }}
group by r.item_id

-- name: read_differs
{#
about = "the lists of a model have less text in the top k than those of another"
matters = "more text finds more, so that larger chunks win by their size"
advice = "compare what they find at equal cost: with a column of tokens, budget='tokens'"
in_macro = "compare what they find at equal cost, with a column of tokens: recsql macros --budget tokens -o FILE"
severity = "warning"
said = "warning if the mean text of a model's lists is below 90 % of the highest; in tokens, if lists have that column"
unit = "lists"
table = "recs"
when = "modelled and reads"
unless = "cut-offs are a budget"
#}
{% macro amount(x) %}{{ sql.text("cast(round(" ~ x ~ ") as bigint)") }}{% endmacro %}
select
    m.model,
    case when m.share < 9e-1 then m.lists end as found,
    m.lists as total,
    m.model || ' ' || {{ amount("m.reads") }} || ', ' || m.most_model || ' ' || {{ amount("m.most") }} || ' {{ "tokens" if in_tokens else "positions" }}' as example
from read_means as m
{# rows #}
select l.model, l.user_id, l.reads
from read_lists as l
inner join read_means as m on m.model = l.model and m.share < 9e-1
