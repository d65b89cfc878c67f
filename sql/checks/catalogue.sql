{#
Train, the table of items, and candidates, beside the lists and the truth.
#}

-- name: train_users
{#
message = "{train}: no row has a user; tail_share, propensity_power and novelty or popularity with base='users' need user_id"
in_macro = "{train}: no row has a user; tail_share, and novelty and popularity over users, need a column user_id"
place = 2
on = ["train_counts"]
when = "train_users_counted"
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as interactions, count(t.user_id) as users from given_train as t) as n
where n.interactions > 0 and n.users = 0

-- name: categories_unknown
{#
message = "{recs}: {found} of {rows} listed items{model} are not in {items}; check how the ids are written, or add the items there"
place = 5
on = ["item_categories", "listed"]
#}
{{ items_without_data(source="given_items", least="5e-1", sentence=sentence) }}

-- name: vectors_unknown
{#
message = "{recs}: {found} of {rows} listed items{model} are not in {items}; check how the ids are written, or add the items there"
place = 5
on = ["item_vectors", "listed"]
#}
{{ items_without_data(source="given_items", least="5e-1", sentence=sentence) }}

-- name: train_unknown
{#
message = "{recs}: {found} of {rows} listed items{model} are not in {train}; check how the ids are written, or leave metrics of train out"
place = 5
on = ["train_counts", "listed"]
when = "counts_train and not named"
#}
{{ items_without_data(source="train_counts", least="5e-1", sentence=sentence) }}

-- name: items_lacking
{#
message = "{recs}: {found} of {rows} listed items{model} are not in {items}"
warns = "items is not none and asks_for('items') and 'recs' in tables"
#}
{{ items_without_data(source="given_items", least="0e0", sentence=sentence) }}

-- name: train_lacking
{#
message = "{recs}: {found} of {rows} listed items{model} are not in {train}"
warns = "train is not none and asks_for('train') and 'recs' in tables"
#}
{{ items_without_data(source="train_items", least="0e0", sentence=sentence) }}

-- name: empty_train
{#
message = "{train}: it has no rows, so no item counts as one that users have had; give the interactions that the models were trained on"
warns = "train is not none and 'recs' in tables"
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as found from (select t.item_id from given_train as t limit 1) as t) as n
where n.found = 0

-- name: unseen_items
{#
message = "popularity_unseen='error': item {item} in the list of user {user} is not in {train}; add it there, or choose another value"
place = 5
on = ["train_counts", "listed"]
when = "popularity_read and popularity_unseen == 'error'"
#}
select
    {{ sentence(user="r.user_id", item="r.item_id") | indent }} as message
from listed as r
left join train_counts as t on t.item_id = r.item_id
where t.item_id is null
order by r.user_id asc, r.item_id asc
limit 1

-- name: seen_items
{#
message = "{recs}: item {item} in the list of user {user} is an item that they have in {train}; seen='error' does not allow that"
place = 5
on = ["given_recs"]
when = "seen == 'error'"
#}
select
    {{ sentence(item="s.item_id", user="s.user_id") | indent }} as message
from seen_items as s
order by s.user_id asc, s.item_id asc
limit 1

-- name: seen_dropped
{#
message = "{recs}: {found} of {rows} rows do not count, because their users have these items in {train}; later items move up"
warns = "seen == 'drop' and with_seen"
#}
select
    {{ sentence(found="n.seen", rows="n.listed") | indent }} as message
from (
    select count(*) as listed, count(s.item_id) as seen
    from given_recs as r
    left join seen_items as s on s.user_id = r.user_id and s.item_id = r.item_id
) as n
where n.seen > 0

-- name: recs_seen_in_train
{#
about = "lists have items that their users have in train"
matters = "most protocols leave these out, since the truth has new items; here they take the places of others"
advice = "leave them out with seen='drop'"
severity = {warning = "f.found > 0.01 * f.total and f.repeated <= 0.01 * f.relevant", note = "f.found > 0.01 * f.total"}
said = "warning above 1 % of the rows in the top k"
unit = "rows"
table = "recs"
needs = ["train.user_id"]
level = "full"
unless = "more than 1 % of the truth is in train as well: then users repeat items, and it is a note"
when = "seen == 'keep'"
#}
select
    {{ model_of("r") }},
    count(s.user_id) as found,
    count(*) as total,
    (select coalesce(sum(p.events), 0) from repeats as p) as repeated,
    (select sum(u.relevant_rows) from user_rows as u) as relevant,
    min('user ' || {{ sql.text("s.user_id") }} || ', item ' || {{ sql.text("s.item_id") }}) as example
from list_items as r
left join seen_pairs as s on s.user_id = r.user_id and s.item_id = r.item_id
where r.place <= {{ depth }}
{{ group_by_model("r") }}
{# rows #}
select {{ model("r") }}r.user_id, r.item_id, r.place
from list_items as r
inner join seen_pairs as s on s.user_id = r.user_id and s.item_id = r.item_id
where r.place <= {{ depth }}

-- name: truth_in_train
{#
about = "relevant rows are in train as well"
matters = "the model has seen the answers; if it leaves out what users have seen, these cannot be hit"
advice = "if users want the same items again, as in a shop, compare with recsql.popularity and seen='first'; if not, take the rows of the truth out of train, or split again with recsql.split and repeats='drop'"
severity = {error = "f.leaked > 0.5 * f.total", warning = "f.leaked > 0.01 * f.total", note = "true"}
said = "error above 50 %, warning above 1 %, else note"
unit = "rows"
table = "truth"
needs = ["train.user_id"]
level = "full"
unless = "the rows of the truth are later: then they repeat, which is a note"
#}
select
    {{ sql.text("null") }} as model,
    case when r.leaked > 0.01 * r.total then r.leaked else r.found end as found,
    r.total,
    r.leaked,
    r.example
from (
    select
        cast(sum(r.events) as bigint) as found,
        cast(sum(case when r.later = 0 then r.events else 0 end) as bigint) as leaked,
        (select cast(sum(u.relevant_rows) as bigint) from user_rows as u) as total,
        min('user ' || {{ sql.text("r.user_id") }} || ', item ' || {{ sql.text("r.item_id") }}) as example
    from repeats as r
) as r
{# rows #}
select r.user_id, r.item_id, r.events as truth_rows, r.later
from repeats as r

-- name: cold_users
{#
about = "users with relevant items are not in train"
matters = "a model that knows only the users of train has no list for them"
advice = "slice by activity to see them apart, or leave out users without a list with users='intersection'"
severity = {warning = 0.05}
unit = "users"
table = "truth"
column = "user_id"
needs = ["train.user_id"]
#}
select
    {{ sql.text("null") }} as model,
    count(case when i.train_rows = 0 then 1 end) as found,
    count(*) as total,
    min(case when i.train_rows = 0 then {{ sql.text("i.id") }} end)
    || ' (without them, at most '
    || {{ sql.text("round(" ~ double("count(case when i.train_rows > 0 then 1 end)") ~ " / count(*), 2)") }}
    || ' of the users can be hit)' as example
from user_rows as i
where i.id is not null and i.relevant_rows > 0
{# rows #}
select i.id as user_id, i.relevant_rows
from user_rows as i
where i.relevant_rows > 0 and i.train_rows = 0

-- name: cold_items
{#
about = "relevant items are not in train"
matters = "a model that knows only the items of train cannot hit them"
advice = "leave them out of the truth to compare models that know only train, and say so"
severity = {warning = 0.05}
unit = "items"
table = "truth"
column = "item_id"
needs = ["train"]
#}
select
    {{ sql.text("null") }} as model,
    count(case when i.train_rows = 0 then 1 end) as found,
    count(*) as total,
    min(case when i.train_rows = 0 then {{ sql.text("i.id") }} end)
    || ' (without them, at most '
    || {{ sql.text("round(" ~ double("sum(case when i.train_rows > 0 then i.relevant_rows else 0 end)") ~ " / sum(i.relevant_rows), 2)") }}
    || ' of the relevant rows can be hit)' as example
from item_rows as i
where i.id is not null and i.relevant_rows > 0
{# rows #}
select i.id as item_id, i.relevant_rows
from item_rows as i
where i.relevant_rows > 0 and i.train_rows = 0

-- name: categories
{#
message = "{items}: no item has a category; give it a column category, with one category per row or a LIST"
place = 2
on = ["item_categories"]
#}
select
    {{ sentence() | indent }} as message
from (select count(*) as categories from item_categories as i) as n
where n.categories = 0

-- name: category_lists
{#
message = "{items}: `category` is {found}; unnest it in a view, with one category per row"
place = 2
on = ["item_categories"]
when = "named"
#}
select
    {{ sentence(found="typeof(i.category)") | indent }} as message
from given_items as i
where typeof(i.category) like '%]'
limit 1

-- name: vector_copies
{#
message = "{items}: item {item} has two different vectors; keep one of them"
place = 4
on = ["item_vectors"]
#}
select
    {{ sentence(item="i.item_id") | indent }} as message
from given_items as i
where i.item_id is not null and i.vector is not null
group by i.item_id
having min(i.vector) <> max(i.vector)
order by i.item_id asc
limit 1

-- name: vector_lengths
{#
message = "{items}: the vector of item {item} has {found} numbers and that of item {other} has {most}; all vectors must be of one length"
place = 4
on = ["item_vectors"]
#}
select
    {{ sentence(item="n.item", found="n.least", other="n.other", most="n.most") | indent }} as message
from (
    select
        m.least,
        m.most,
        min(case when {{ sql.length("v.vector") }} = m.least then v.item_id end) as item,
        min(case when {{ sql.length("v.vector") }} = m.most then v.item_id end) as other
    from item_vectors as v
    cross join (
        select min({{ sql.length("v.vector") }}) as least, max({{ sql.length("v.vector") }}) as most
        from item_vectors as v
    ) as m
    where m.least < m.most
    group by m.least, m.most
) as n

-- name: vector_numbers
{#
message = "{items}: {found} is among the numbers in the vector of item {item}; each must be finite, so mend this vector or leave it out"
place = 4
on = ["item_vectors"]
#}
{% set unusable = sql.filtered("v.vector", "e", "not coalesce(abs(try_cast(e as double)) <= 1.7976931348623157e308, false)") %}
select
    {{ sentence(item="v.item_id", found=sql.nth(unusable, "1")) | indent }} as message
from item_vectors as v
where {{ sql.length(unusable) }} > 0
order by v.item_id asc
limit 1

-- name: joined_categories
{#
message = "{items}: `category` has several categories in one text, such as {example}; category_separator='{separator}' splits them"
place = 3
on = ["item_categories"]
when = "category_separator is none"
#}
{# Most of the texts have a separator, and some of their pieces are in two of them. #}
select
    {{ sentence(example="n.example", separator="n.separator") | indent }} as message
from (
{% for separator in ["|", ", ", ";"] %}
    select
        {{ literal(separator) }} as separator,
        min(case when p.category like '%{{ separator }}%' then p.category end) as example
    from (
        select t.category, {{ sql.pieces("t.category", literal(separator)) }} as piece
        from (
            select distinct {{ sql.text("i.category") }} as category
            from given_items as i
            where i.item_id is not null and {{ sql.text("i.category") }} <> '(no genres listed)'
        ) as t
    ) as p
    having
        2 * count(distinct case when p.category like '%{{ separator }}%' then p.category end) > count(distinct p.category)
        and count(distinct p.piece) < count(*)
{{ "    union all" if not loop.last }}
{% endfor %}
) as n
order by message asc
limit 1

-- name: recs_not_in_items
{#
about = "lists have items that are not in items"
matters = "they may be no longer on offer, or ids of another system; each takes a place in a list"
advice = "leave them out before you rank, or add them to items"
severity = "warning"
unit = "items"
table = "recs"
column = "item_id"
needs = ["items"]
#}
select
    {{ sql.text("null") }} as model,
    count(case when i.in_items = 0 then 1 end) as found,
    count(*) as total,
    {{ sql.text("min(case when i.in_items = 0 then i.id end)") }} as example
from item_ids as i
where i.in_recs = 1
{# rows #}
select i.id as item_id
from item_ids as i
where i.in_recs = 1 and i.in_items = 0

-- name: truth_not_in_items
{#
about = "relevant items are not in items"
matters = "no model that recommends from items can hit them"
advice = "leave them out of the truth, or add them to items"
severity = "warning"
unit = "items"
table = "truth"
column = "item_id"
needs = ["items"]
#}
select
    {{ sql.text("null") }} as model,
    count(case when i.in_items = 0 then 1 end) as found,
    count(*) as total,
    {{ sql.text("min(case when i.in_items = 0 then i.id end)") }} as example
from item_ids as i
where i.in_truth = 1
{# rows #}
select i.id as item_id
from item_ids as i
where i.in_truth = 1 and i.in_items = 0

-- name: candidate_truth
{#
message = "{candidates}: the relevant item {item} of user {user} is not among their candidates; add the truth, as recsql.candidates does"
place = 5
on = ["given_candidates", "given_truth"]
#}
select
    {{ sentence(item="t.item_id", user="t.user_id") | indent }} as message
from given_truth as t
{% if fixed and of_users %}
inner join given_users as g on g.user_id = t.user_id
{% endif %}
left join given_candidates as c on c.user_id = t.user_id and c.item_id = t.item_id
where c.item_id is null and {{ is_relevant() }}
order by t.user_id asc, t.item_id asc
limit 1

-- name: unlisted_candidates
{#
message = "{recs}: {found} of {lists} lists lack candidates of their user, which count below all listed items; score every candidate"
warns = "candidates is not none and 'recs' in tables"
#}
select
    {{ sentence(found="n.lacking", lists="n.lists") | indent }} as message
from (
    select count(*) as lists, count(case when l.listed < d.candidates then 1 end) as lacking
    from (
        select {{ model("r") }}r.user_id, count(distinct c.item_id) as listed
        from given_recs as r
        left join candidate_items as c on c.user_id = r.user_id and c.item_id = r.item_id
        group by {{ model("r") }}r.user_id
    ) as l
    inner join (
        select c.user_id, count(distinct c.item_id) as candidates
        from given_candidates as c
        group by c.user_id
    ) as d on d.user_id = l.user_id
) as n
where n.lacking > 0

-- name: sampled_candidates
{#
message = "Ranks among {found} sampled items need not order models as the full catalogue does (Krichene and Rendle 2020)."
warns = "candidates is not none and 'recs' in tables"
#}
select
    {{ sentence(found="case when n.fewest = n.most then " ~ sql.text("n.most") ~ " else n.fewest || ' to ' || n.most end") | indent }} as message
from (
    select min(d.drawn) as fewest, max(d.drawn) as most
    from (
        select c.user_id, count(distinct c.item_id) as drawn
        from given_candidates as c
{% if "truth" in tables %}
        left join given_truth as t on t.user_id = c.user_id and t.item_id = c.item_id
        where t.item_id is null
{% endif %}
        group by c.user_id
    ) as d
) as n
where n.most > 0

-- name: candidates_sampled
{#
about = "the lists rank a sample of items that has all relevant items of each user"
matters = "values over a sample are much higher than over all items, and can order models otherwise"
advice = "rank all items, or give the sample as candidates= and say so beside the values"
in_macro = "rank all items, or give the sample to a file made with recsql macros --candidates candidates -o FILE, and say so beside the values"
severity = "warning"
unit = "lists"
table = "recs"
level = "full"
when = "candidates is none and not of_spans"
unless = "lists have fewer than 20 items or all items, or fewer than 20 users have relevant items and a list"
#}
select
    {{ model_of("f") }},
    case
        when count(w.user_id) >= 20
            and min(f.items) = max(f.items)
            and min(f.items) >= 20
            and min(f.items) < (select count(distinct r.item_id) from list_items as r inner join watched as w on w.user_id = r.user_id)
            and sum(h.hits) = sum(w.relevant_rows)
            then count(*)
    end as found,
    count(*) as total,
    {{ sql.text("max(f.items)") }} || ' items in each list' as example
from list_facts as f
left join watched as w on w.user_id = f.user_id
left join watched_hits as h on {{ same_model("h", "f") }}h.user_id = f.user_id
{{ group_by_model("f") }}
{# rows #}
select {{ model("f") }}f.user_id, f.items, h.hits
from list_facts as f
inner join watched_hits as h on {{ same_model("h", "f") }}h.user_id = f.user_id
