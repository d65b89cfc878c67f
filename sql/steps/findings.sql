{#
What is odd about the tables: the facts that several findings of check read.

Goes in: given_recs, given_truth, train, and recommended and hits. Comes out: small tables of facts, such as
list_facts, one row per list, and user_ids, one row per user of any table.
#}

-- name: given_refusal
{#
row = "one row with the sentence with which evaluate refuses the tables"
inline = true
#}
{{ tables.refusal.select }}

-- name: likely_relevance
{#
row = "one row if the truth has a column that is likely the relevance, and no relevance: its name, the number of its rows, and that of values of 0 or less"
#}
{# Only in a macro: elsewhere the columns are known. The first of these names is taken. #}
{% set names = likely.unread + likely.rated %}
select t.name, count(*) as stated, count(case when t.found <= 0 then 1 end) as low
from (
    select
        case
{% for name in names %}
            when recsql.is_number(t.{{ name }}) then '{{ name }}'
{% endfor %}
        end as name,
        case
{% for name in names %}
            when recsql.is_number(t.{{ name }}) then try_cast({{ sql.text("t." ~ name) }} as double)
{% endfor %}
        end as found
    from (
        from {{ tables.truth.source }}
        union all by name
        select null as relevance, {% for name in names %}null as {{ name }}{{ ", " if not loop.last }}{% endfor %}

        where false
    ) as t
    where typeof(t.relevance) = '"NULL"'
) as t
where t.name is not null
group by t.name

-- name: odd_ids
{#
row = "one row per table, column of ids and id that stands for none, such as NULL or nan: the number of its rows, and of all"
#}
{# Whole numbers are not read as text: the least one of each block tells that none of its rows has -1. #}
{% for role in ["recs", "truth", "train", "items"] if role in tables %}
{% set before = loop.first %}
{% for column in ["user_id", subject] if role in ["recs", "truth"] or column in tables[role].columns %}
{% if not (before and loop.first) %}
union all
{% endif %}
{% set id = "t." ~ column %}
select
    '{{ role }}' as role,
    {{ tables[role].name }} as table_name,
    '{{ column }}' as column_name,
    {{ sql.text(id) }} as id,
    count(*) as events,
    (select count(*) from given_{{ role }} as t) as total
from given_{{ role }} as t
where {{ id }} is null or {{ id ~ " = -1" if types is defined and types[role][column] in numbers else sql.text(id) ~ " in ('', 'nan', 'NaN', 'None', 'null', 'NULL', '<NA>', '-1')" }}
group by {{ id }}
{% endfor %}
{% endfor %}

-- name: truth_values
{#
row = "one row per relevance in the truth, with the number of its rows"
#}
select t.relevance, count(*) as stated
from given_truth as t
group by t.relevance

-- name: relevant_items
{#
row = "one row per relevant item: its place by the number of its relevant rows, ties by item id, and the number of such items"
#}
select
    t.item_id,
    count(*) as relevant_rows,
    count(*) over () as items,
    row_number() over (order by count(*) desc, t.item_id asc) as place
from given_truth as t
where t.item_id is not null and {{ is_relevant() }}
group by t.item_id

-- name: truth_copies
{#
row = "one row per user and item that are in the truth several times: the number of rows, the least and the highest relevance"
#}
{# Users with as many bits as rows have no item twice. The others are few, so few rows are grouped by item. #}
select t.user_id, t.item_id, count(*) as stated, min(t.relevance) as least, max(t.relevance) as most
from given_truth as t
inner join (
    select t.user_id
    from given_truth as t
    group by t.user_id
    having greatest({{ sql.bit_count("bit_or(" ~ sql.bit("t.item_id", 1) ~ ")") }}, {{ sql.bit_count("bit_or(" ~ sql.bit("t.item_id", 2) ~ ")") }}) < count(*)
) as s on s.user_id = t.user_id
group by t.user_id, t.item_id
having count(*) > 1

-- name: truth_times
{#
row = "one row per row of truth, with its time"
inline = true
#}
{{ tables.truth_times.select }}

-- name: train_times
{#
row = "one row per row of train, with its time"
inline = true
#}
{{ tables.train_times.select }}

-- name: list_items
{#
row = "one row per row of recs, with its place in the list"
inline = true
#}
{# Chunks of different models may have one id. #}
{% set item = sql.span("r.document", "r.start", "r.stop") ~ " as item_id" if of_spans else "r.item_id" %}
{% set read = ", " ~ reads ~ " as reads" if reads else "" %}
{% if by_rank %}
select {{ model("r") }}r.user_id, {{ item }}, r.score, r.rank as place{{ ", 0 as by_score" if any_order }}{{ read }}
from given_recs as r{% if any_order %}

where r.rank_by = 'rank'
union all
{% endif %}
{% endif %}
{% if by_score %}
select
    {{ model("r") }}r.user_id,
    {{ item }},
    r.score,
    row_number() over (partition by {{ model("r") }}r.user_id order by r.score {{ order }}, r.item_id asc) as place{% if any_order %},
    1 as by_score{% endif %}{{ read }}
from given_recs as r{% if any_order %}

where r.rank_by = 'score'{% endif %}

{% endif %}

-- name: list_facts
{#
row = "one row per list: its length, the ends of its ranks and scores, and a hash of its top k"
#}
{# The hash of a hash, because DuckDB's hash of two values is an xor of theirs: without it, the order of the items would not count.
   The xor of a list in which each row is there twice is 0. #}
select
    {{ model("r") }}r.user_id,
    count(*) as items,
    min(r.place) as first_place,
    max(r.place) as last_place,
    count(r.score) as scores,
    max({{ score_down("r.score") }}) as best,
    min({{ score_down("r.score") }}) as least,
    max(case when r.place = 1 then {{ score_down("r.score") }} end) as first_score,
    max(case when r.place = {{ depth }} then r.score end) as score_at_k,
    max(case when r.place = {{ depth }} + 1 then r.score end) as score_below_k,
{% if any_order %}
    max(r.by_score) as by_score,
{% endif %}
    nullif(
        bit_xor(case when r.place <= {{ depth }} then {{ sql.hash_of(sql.hash_of("r.item_id, cast(r.place as bigint)")) }} end), 0
    ) as top
from list_items as r
group by {{ model("r") }}r.user_id

-- name: list_copies
{#
row = "one row per list that has an item several times in the top k: the first such item that is relevant, and the first other one"
#}
{# A join finds relevant items, so that only these are grouped. If it is last, it can find one of the few copies twice. #}
{% set relevant = "(select " ~ ("distinct " if not full) ~ "t.user_id, t.item_id from given_truth as t where " ~ is_relevant() ~ ") as t on t.user_id = r.user_id and t.item_id = r.item_id" %}
{% set keys = model("r") ~ "r.user_id, r.item_id" %}
select
    {{ model("r") }}r.user_id,
    min(case when r.is_relevant = 1 then r.item_id end) as relevant,
    min(case when r.is_relevant = 0 then r.item_id end) as other
from (
{% if full %}
    select {{ keys }}, case when t.user_id is null then 0 else 1 end as is_relevant
    from (
        select {{ keys }}
        from list_items as r
        where r.place <= {{ depth }}
        group by {{ keys }}
        having count(*) > 1
    ) as r
    left join {{ relevant }}
{% else %}
    select {{ keys }}, 1 as is_relevant
    from given_recs as r
    inner join {{ relevant }}
{% if by_score %}
    inner join list_facts as f on {{ same_model("f", "r") }}f.user_id = r.user_id
    where
{% if any_order %}
        case r.rank_by when 'rank' then r.rank <= {{ depth }} else f.score_at_k is null or {{ score_down("r.score") }} >= {{ score_down("f.score_at_k") }} end
{% else %}
        f.score_at_k is null or {{ score_down("r.score") }} >= {{ score_down("f.score_at_k") }}
{% endif %}
{% else %}
    where r.rank <= {{ depth }}
{% endif %}
    group by {{ keys }}
    having count(*) > 1
{% endif %}
) as r
group by {{ model("r") }}r.user_id

-- name: twins
{#
row = "one row per model and earlier model with lists of the same users: how many lists, how many are equal, and its place, most equal lists first"
#}
{% set found = "count(case when a.top = b.top then 1 end)" %}
select
    b.model,
    a.model as other,
    {{ found }} as found,
    count(*) as total,
    row_number() over (partition by b.model order by {{ double(found) }} / count(*) desc, a.model asc) as place
from list_facts as a
inner join list_facts as b on b.user_id = a.user_id and b.model > a.model
group by a.model, b.model

-- name: list_models
{#
row = "one row per model that has lists or a name"
#}
{% if modelled %}
select distinct f.model
from list_facts as f{% for model in tables.recs.models %}

union
select {{ literal(model) }} as model{% endfor %}

{% else %}
select 1 as lists
{% endif %}

-- name: user_rows
{#
row = "one row per user id, NULL among them: the number of its rows in each table, and of those that are relevant"
kept = true
#}
{{ rows_of_ids(id="user_id") }}

-- name: item_rows
{#
row = "one row per item id, NULL among them: the number of its rows in each table, and of those that are relevant"
kept = true
#}
{# Or per document, if the truth has spans. #}
{{ rows_of_ids(id=subject) }}

-- name: user_ids
{#
row = "one row per user id: whether it has a list, relevant items, and a row in train"
#}
{{ ids_of_rows(id="user_id", rows="user_rows") }}

-- name: item_ids
{#
row = "one row per item id: whether it is in a list, relevant, in train, and in items"
#}
{{ ids_of_rows(id=subject, rows="item_rows") }}

-- name: repeats
{#
row = "one row per user and relevant item that is in train as well: its number of rows and first time in the truth, and its last time in train"
kept = true
#}
select
    t.user_id,
    t.item_id,
    min(p.events) as events,
    {{ "case when min(p.ts) > max(t.ts) then 1 else 0 end" if times_alike else "0" }} as later
from {{ "train_times" if times_alike else "given_train" }} as t
inner join (
    select t.user_id, t.item_id, count(*) as events{{ ", min(t.ts) as ts" if times_alike }}
    from {{ "truth_times" if times_alike else "given_truth" }} as t
    where {{ is_relevant() }}
    group by t.user_id, t.item_id
) as p on p.user_id = t.user_id and p.item_id = t.item_id
group by t.user_id, t.item_id

-- name: seen_pairs
{#
row = "one row per user and item of a top k that is in train as well"
#}
select distinct t.user_id, t.item_id
from given_train as t
where exists (
    select 1 as one
    from list_items as r
    where r.user_id = t.user_id and r.item_id = t.item_id and r.place <= {{ depth }}
)

-- name: popular_items
{#
row = "one row per item of train: its place by number of rows; ties by item id"
#}
select i.id as item_id, i.train_rows as events, row_number() over (order by i.train_rows desc, i.id asc) as place
from item_rows as i
where i.id is not null and i.train_rows > 0

-- name: popular_firsts
{#
row = "one row per user with a relevant item that is in train, but not the user's there: the place of the most popular one"
kept = true
#}
select t.user_id, min(i.place) as place
from given_truth as t
inner join popular_items as i on i.item_id = t.item_id
left join repeats as r on r.user_id = t.user_id and r.item_id = t.item_id
where r.user_id is null and {{ is_relevant() }}
group by t.user_id

-- name: popular_hits
{#
row = "one row per user who has a hit among the k most popular items of train that they lack"
#}
select f.user_id
from popular_firsts as f
left join (
    select t.user_id, count(distinct i.place) as items
    from given_train as t
    inner join popular_items as i on i.item_id = t.item_id
    inner join popular_firsts as f on f.user_id = t.user_id and f.place > i.place
    where f.place > {{ depth }}
    group by t.user_id
) as o on o.user_id = f.user_id
where f.place - coalesce(o.items, 0) <= {{ depth }}

-- name: list_hits
{#
row = "one row per list with relevant items: their number in the list, and in its top k"
#}
{% if of_spans %}
select {{ model("f") }}f.user_id, count(*) as hits, count(case when f.rank <= {{ depth }} then 1 end) as hits_at_k
from found as f
group by {{ model("f") }}f.user_id
{% else %}
select {{ model("r") }}r.user_id, count(*) as hits, count(case when r.place <= {{ depth }} then 1 end) as hits_at_k
from list_items as r
inner join (
    select t.user_id, t.item_id
    from given_truth as t
    where {{ is_relevant() }}
    group by t.user_id, t.item_id
) as t on t.user_id = r.user_id and t.item_id = r.item_id
group by {{ model("r") }}r.user_id
{% endif %}

-- name: given_means
{#
row = "one row per model and metric: its mean, and the number of users in it"
inline = true
#}
{% if named %}
{# Whether a user has a hit, which is the metric that needs nothing but the hits of the lists. #}
select
    m.model,
    'hit' as metric,
    count(h.user_id) / cast(count(*) as double) as value,
    count(*) as users,
    count(h.user_id) as best
from list_models as m
inner join user_ids as u on u.in_truth = 1{{ " and u.in_recs = 1" if served_alone }}
left join list_hits as h on {{ same_model("h", "m") }}h.user_id = u.id and h.hits_at_k > 0
group by m.model
{% else %}
{{ tables.means.select }}
{% endif %}

-- name: watched
{#
row = "one row per user with a list and relevant items, of the first thousand by their ids"
#}
select t.user_id, count(*) as relevant_rows
from given_truth as t
where {{ is_relevant() }} and exists (select 1 as one from list_facts as f where f.user_id = t.user_id)
group by t.user_id
order by t.user_id asc
limit 1000

-- name: watched_hits
{#
row = "one row per list of a watched user: the number of its relevant items"
#}
select {{ model("r") }}r.user_id, count(*) as hits
from list_items as r
inner join watched as w on w.user_id = r.user_id
inner join (
    select t.user_id, t.item_id
    from given_truth as t
    inner join watched as w on w.user_id = t.user_id
    where {{ is_relevant() }}
    group by t.user_id, t.item_id
) as t on t.user_id = r.user_id and t.item_id = r.item_id
group by {{ model("r") }}r.user_id

-- name: judged_lists
{#
row = "one row per list of a user with relevant items: the number of items in its top k, and of those that have a row in the truth"
#}
select {{ model("r") }}r.user_id, count(*) as items, count(j.item_id) as judged
from recommended as r
inner join (select distinct j.user_id from judged as j where {{ is_relevant("j.relevance") }}) as u on u.user_id = r.user_id
{% if fixed %}
inner join given_users as g on g.user_id = r.user_id
{% endif %}
left join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
where r.rank <= {{ depth }}
group by {{ model("r") }}r.user_id

-- name: judged_means
{#
row = "one row per model with lists, if some row of the truth is not relevant: the mean share of judged items, and the highest one"
#}
{# Without such a row, what nobody judged and what is not relevant can't be told apart. #}
select
    m.*,
    max(m.share) over () as best_share,
    first_value(m.model) over (order by m.share desc nulls last, m.model asc nulls first) as best_model,
    round(max(m.share) over () - m.share, 12) as gap
from (
    select
        l.model,
        cast(sum(l.items) as bigint) as items,
        cast(sum(l.judged) as bigint) as judged,
        {{ sql.exact_sum(double("l.judged") ~ " / l.items") }} / count(*) as share
    from judged_lists as l
    group by l.model
) as m
where exists (select 1 as one from judged as j where not ({{ is_relevant("j.relevance") }}))

-- name: read_lists
{#
row = "one row per list: how much its top k reads, in tokens or positions"
#}
select {{ model("r") }}r.user_id, cast(sum(case when r.place <= {{ depth }} then r.reads else 0 end) as bigint) as reads
from list_items as r
group by {{ model("r") }}r.user_id

-- name: read_means
{#
row = "one row per model with lists: how much one of them reads up to k, and the most that one of another model does"
#}
select
    m.*,
    first_value(m.model) over (order by m.reads desc nulls last, m.model asc nulls first) as most_model,
    max(m.reads) over () as most,
    round(m.reads / nullif(max(m.reads) over (), 0e0), 12) as share
from (
    select l.model, count(*) as lists, {{ double("sum(l.reads)") }} / count(*) as reads
    from read_lists as l
    group by l.model
) as m
