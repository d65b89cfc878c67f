{# What a split gave, once it is stored: one row per fold and part, with the truth that no model can know of, or knows already. #}
{% set fold, by_fold = ("t.fold, ", "l.fold = t.fold and ") if folded else ("", "") %}
{% set user, item = names.user_id, names.item_id %}
{% set learnt = "from " ~ rows ~ " as t where t.part in ('train', 'fold_in')" %}
{% set held = "from " ~ rows ~ " as t where t.part not in ('train', 'fold_in', 'unused')" %}
with known_users as (
    select distinct {{ fold }}{{ user }} as user_id {{ learnt }} and {{ user }} in (select {{ user }} {{ held }})
),

known_items as (
    select distinct {{ fold }}{{ item }} as item_id {{ learnt }} and {{ item }} in (select {{ item }} {{ held }})
),

known_pairs as (
    select distinct {{ fold }}{{ user }} as user_id, {{ item }} as item_id {{ learnt }} and ({{ user }}, {{ item }}) in (select ({{ user }}, {{ item }}) {{ held }})
),

truth as (
    select
        t.*,
        t.part not in ('train', 'fold_in', 'unused') as is_held,
        u.user_id is null as is_cold_user,
        i.item_id is null as is_cold_item,
        p.item_id is not null as is_repeat
    from {{ rows }} as t
    left join known_users as u on {{ by_fold | replace("l.", "u.") }}u.user_id = {{ user }}
    left join known_items as i on {{ by_fold | replace("l.", "i.") }}i.item_id = {{ item }}
    left join known_pairs as p on {{ by_fold | replace("l.", "p.") }}p.user_id = {{ user }} and p.item_id = {{ item }}
){% if placed %},

ends as (
    select {{ fold }}max({{ names.order_by }}) as place
    from {{ rows }} as t
    where t.part = 'train'{% if folded %}

    group by t.fold{% endif %}

){% endif %}


select
    {{ "t.fold" if folded else "cast(null as bigint) as fold" }},
    t.part,
    count(*) as interactions,
    count(distinct {{ user }}) as users,
    count(distinct case when t.is_held and t.is_cold_user then {{ user }} end) as cold_users,
    count(case when t.is_held and t.is_cold_user then 1 end) as of_cold_users,
    count(case when t.is_held and t.is_cold_item then 1 end) as of_cold_items,
    count(case when t.is_held and t.is_repeat then 1 end) as repeats,
    {{ "count(case when t.is_held and " ~ names.order_by ~ " < l.place then 1 end)" if placed else "cast(null as bigint)" }} as before_end_of_train
from truth as t
{% if placed %}
left join ends as l on {{ "l.fold = t.fold" if folded else "true" }}
{% endif %}
group by {{ fold }}t.part
order by {{ fold }}t.part
