{#
The results of a split: every interaction with its part, the counts, and the files of the parts.
#}

-- name: core_round
{# One round of the core, for engines that can't repeat a query: the pairs of users and items that have enough. #}
select r.user_id, r.item_id
from (
    select
        p.user_id,
        p.item_id,
        count(*) over (partition by p.user_id) as items,
        count(*) over (partition by p.item_id) as users
    from {{ pairs }} as p
) as r
where r.items >= {{ core }} and r.users >= {{ core }}

-- name: given_interactions
{# The table in a macro's parameter, with all columns. #}
select t.*
from (
    from {{ source }}
    union all by name
    select null as user_id, null as item_id{{ ", null as " ~ order if order }}
    where false
) as t

-- name: split
{# Every interaction with its part, in each fold. #}
{% if dropped or split__target != "all" %}
select
    {{ sql.without("t", "part" ~ (", row_place" if by_row else "")) }},
    case when t.part in ('cold_user', 'cold_item', 'repeat', 'not_target') then 'unused' else t.part end as part
{% else %}
select {{ sql.without("t", "row_place") if by_row else "t.*" }}
{% endif %}
from {{ split_result() }} as t
where {{ measurable() }}

-- name: split_counts
{# The counts of a split: one row per fold and part, with the truth that models can't know, or know already. #}
{% set fold = "t.fold, " if in_folds else "" %}
{% set same_fold = "{}.fold = t.fold and " if in_folds else "" %}
{% set user, item = names.user_id, names.item_id %}
{% set is_learnt = "t.part in ('train', 'fold_in')" %}
{% set is_held = "t.part not in ('train', 'fold_in', 'unused')" %}
with divided as not materialized (
    {{ rows | indent }}
),

divided_users as (
    select {{ fold }}t.part, {{ user }} as user_id, count(*) as interactions
    from divided as t
    group by {{ fold }}t.part, {{ user }}
),

learnt_users as (
    select distinct {{ fold }}t.user_id
    from divided_users as t
    where {{ is_learnt }}
),

cold_users as (
    select {{ fold }}t.part, count(*) as users, cast(sum(t.interactions) as bigint) as interactions
    from divided_users as t
    anti join learnt_users as u on {{ same_fold | replace("{}", "u") }}u.user_id = t.user_id
    where {{ is_held }}
    group by {{ fold }}t.part
),

learnt_items as (
    select distinct {{ fold }}{{ item }} as item_id
    from divided as t
    where {{ is_learnt }}
),

held as not materialized (
    select {{ fold }}t.part, {{ user }} as user_id, {{ item }} as item_id{{ ", " ~ names.order_by ~ " as place" if placed else "" }}
    from divided as t
    where {{ is_held }}
),

known_pairs as (
    select distinct {{ fold }}{{ user }} as user_id, {{ item }} as item_id
    from divided as t
    semi join held as h on {{ same_fold | replace("{}", "h") }}h.user_id = {{ user }} and h.item_id = {{ item }}
    where {{ is_learnt }}
),

{% if placed %}
ends as (
    select {{ fold }}max({{ names.order_by }}) as place
    from divided as t
    where t.part = 'train'{% if in_folds %}

    group by t.fold{% endif %}

),

{% endif %}
truths as (
    select
        {{ fold }}t.part,
        count(case when i.item_id is null then 1 end) as of_cold_items,
        count(p.item_id) as repeats,
        {{ "count(case when t.place < l.place then 1 end)" if placed else "cast(null as bigint)" }} as before_end_of_train
    from held as t
    left join learnt_items as i on {{ same_fold | replace("{}", "i") }}i.item_id = t.item_id
    left join known_pairs as p on {{ same_fold | replace("{}", "p") }}p.user_id = t.user_id and p.item_id = t.item_id
{% if placed %}
    left join ends as l on {{ "l.fold = t.fold" if in_folds else "true" }}
{% endif %}
    group by {{ fold }}t.part
)

select
    {{ "t.fold" if in_folds else "cast(null as bigint) as fold" }},
    t.part,
    cast(sum(t.interactions) as bigint) as interactions,
    count(*) as users,
    coalesce(min(u.users), 0) as cold_users,
    coalesce(min(u.interactions), 0) as of_cold_users,
    coalesce(min(h.of_cold_items), 0) as of_cold_items,
    coalesce(min(h.repeats), 0) as repeats,
    min(h.before_end_of_train) as before_end_of_train
from divided_users as t
left join cold_users as u on {{ same_fold | replace("{}", "u") }}u.part = t.part
left join truths as h on {{ same_fold | replace("{}", "h") }}h.part = t.part
group by {{ fold }}t.part
order by {{ "t.fold asc, " if in_folds }}t.part asc

-- name: split_parts
{# The rows of a split: some of the parts, or all with the column part. #}
{% if part %}
select t.* exclude (part)
from (
    {{ rows | indent }}
) as t
where t.part = {{ part | sql_literal }}
{% else %}
select t.* replace (case when t.part in ('{{ reasons | join("', '") }}') then 'unused' else t.part end as part)
from (
    {{ rows | indent }}
) as t
{% endif %}

-- name: split_rows
{# The same after the checks, for the counts: the part of unused truth is the reason. #}
select {{ sql.without("t", "row_place") if by_row else "t.*" }}
from {{ split_result() }} as t
