{#
The truth: which items are relevant to whom, and with which gains.

Goes in: given_truth, and train for the weights of items. Comes out: relevant, one row per user and relevant item;
users, one row per user with relevant items; ideals, their gains in the best possible order.
#}

-- name: suspects (fast)
{#
row = "one row per user who may have repeated items in the truth: the user has fewer bits than rows"
#}
select f.user_id
from fingerprints as f
where greatest({{ sql.bit_count("f.bits") }}, {{ sql.bit_count("f.other_bits") }}) < f.stated

-- name: repeaters (fast)
{#
kept = true
row = "one row per suspect with a repeated item in the truth"
#}
select t.user_id, true as repeats
from given_truth as t
inner join suspects as s on s.user_id = t.user_id
where {{ is_relevant() }}
group by t.user_id
having {{ sql.distinct("t.item_id") }} < count(*)

-- name: folded (fast)
{#
row = "one row per repeater and relevant item, with its highest relevance"
#}
select
    t.user_id,
    t.item_id,
{% if needs.truth_rank %}
    min(t.rank) as rank,
{% endif %}
{% if weights_of_truth %}
    min(t.propensity) as propensity,
{% endif %}
    max(t.relevance) as relevance
from given_truth as t
inner join repeaters as p on p.user_id = t.user_id
where {{ is_relevant() }}
group by t.user_id, t.item_id

-- name: train_counts
{#
row = "one row per item in train: its rows, and its users if a metric counts these; NULL if it has none"
grain = "item"
#}
select
    t.item_id,
{% if train_users_counted %}
    nullif(count(t.user_id), 0) as users,
    cast(sum(t.interactions) as bigint) as interactions
from (
    select t.item_id, t.user_id, count(*) as interactions
    from given_train as t
    where t.item_id is not null{{ guard("id_types", left="recs", right="train", columns=["item_id"]) | indent(8) }}
    group by t.item_id, t.user_id
) as t
{% else %}
    count(*) as interactions
from given_train as t
where t.item_id is not null{{ guard("id_types", left="recs", right="train", columns=["item_id"]) | indent }}
{% endif %}
group by t.item_id

-- name: item_propensities
{#
kept = true
row = "one row per item in train: its propensity, and that of an item with one user"
#}
select
    n.item_id,
    power(n.users / max(n.users) over (), {{ propensity_power }}) as propensity,
    power(1e0 / max(n.users) over (), {{ propensity_power }}) as of_one_user
from (select t.item_id, {{ double("t.users") }} as users from train_counts as t) as n

-- name: relevant
{#
row = "one row per user and relevant item; repeated items count once, with their highest relevance"
#}
{% if of_spans %}
{# Their columns are hashed in a third of the time of the struct. #}
select
    t.user_id,
    t.document,
    t.start,
    t.stop,
    {{ sql.span("t.document", "t.start", "t.stop") }} as item_id,
    {{ gain_of("max(t.relevance)") | indent }} as gain
from given_truth as t
where {{ is_relevant() }}{{ guard("id_types", left="recs", right="truth", columns=["user_id", "document"]) | indent }}
group by t.user_id, t.document, t.start, t.stop
{% else %}
select
    t.user_id,
    t.item_id,
{% if needs.truth_rank %}
    min(t.rank) as truth_rank,
{% endif %}
{% if weighted %}
    max({{ weight_of() }}) as weight,
{% endif %}
    {{ gain_of("max(t.relevance)") | indent }} as gain
from given_truth as t{{ of_train("t") }}
where {{ is_relevant() }}{{ guard("id_types", left="recs", right="truth", columns=["user_id", "item_id"]) | indent }}
group by t.user_id, t.item_id
{% endif %}

-- name: relevant (fast)
{#
row = "one row per user and relevant item; repeated items count once, with their highest relevance"
when = "not of_spans"
inline = true
buys = "with users: six metrics of 50 million rows take 3.6 CPU seconds instead of 4.6, as no user's truth is grouped by item unless an item may be in it twice"
#}
{# With a left join and a filter, DuckDB estimates a fifth of the rows, and hashes these instead of the possible hits. #}
{% set further = (", t.rank" if needs.truth_rank else "") ~ (", t.propensity" if weights_of_truth else "") %}
select
    t.user_id,
    t.item_id,
{% if needs.truth_rank %}
    t.rank as truth_rank,
{% endif %}
{% if weighted %}
    {{ weight_of() }} as weight,
{% endif %}
    {{ gain_of("t.relevance") | indent }} as gain
from (
    select t.user_id, t.item_id, t.relevance{{ further }}
    from given_truth as t
    left join repeaters as p on p.user_id = t.user_id
    where
        not coalesce(p.repeats, false)
        and {{ is_relevant() }}
    union all
    select t.user_id, t.item_id, t.relevance{{ further }}
    from folded as t
) as t{{ of_train("t") }}

-- name: truth_weights
{#
row = "one row per user with relevant items: the sum of their weights, and of these times their gains"
#}
select
    t.user_id,
    {{ sql.exact_sum("t.weight") }} as weight,
    {{ sql.exact_sum("t.weight * t.gain") }} as gain
from relevant as t
group by t.user_id

-- name: users
{#
kept = true
row = "one row per user with relevant items, with their number"
#}
{% if is_read("users", "relevant") %}
select t.user_id, count(*) as relevant
from relevant as t
group by t.user_id
{% else %}
select distinct t.user_id
from relevant as t
{% endif %}

-- name: users (fast)
{#
kept = true
row = "one row per user with relevant items: their number, and the profile of their gains; equal gains have equal profiles"
when = "not of_spans"
buys = "see relevant; its profiles buy what ideals does"
#}
{# For the form of this filter, see relevant. #}
select f.user_id, {{ "f.profile, " if ideals }}f.stated as relevant
from fingerprints as f
left join repeaters as p on p.user_id = f.user_id
where not coalesce(p.repeats, false)
union all
select t.user_id, {{ sql.profile("t.relevance") ~ " as profile, " if ideals }}count(*) as relevant
from folded as t
group by t.user_id

-- name: entries
{#
row = "one row per user with relevant items: the gains of the items, with their ranks in the ordered truth"
#}
select t.user_id, {{ sql.ranked_gains("t.truth_rank", "t.gain") }} as entries
from relevant as t
group by t.user_id

-- name: examples (fast)
{#
row = "one row per profile: one user who represents all users with this profile"
#}
{# Gains have few distinct values, so there are few profiles. #}
select u.profile, u.relevant, min(u.user_id) as user_id
from users as u
group by u.profile, u.relevant

-- name: ideals
{#
row = "one row per user with relevant items: their gains, highest first, or these discounted"
plain_row = "one row per user with relevant items: the gains of the ideal list, from its top"
#}
select
    t.user_id{{ gains_down("t.gain") }}
from relevant as t
group by t.user_id

-- name: ideals (fast)
{#
row = "one row per profile: the gains of the relevant items, highest first, or these discounted"
safe = "users with one profile have the same gains, so the list of one is that of all; see fingerprints for profiles, exact_sum for 1e18"
buys = "all metrics of 50 million rows at ten cut-offs take 5.9 CPU seconds instead of 6.7, as few combinations of gains are sorted"
#}
select
    e.profile,
    e.relevant{{ gains_down("t.gain") }}
from relevant as t
inner join examples as e on e.user_id = t.user_id
{% if named %}
{# Else DuckDB 2.0 groups the whole truth before the join, as it does not know how few examples there are. #}
where exists (select 1 as one from examples as e where e.user_id = t.user_id)
{% endif %}
group by e.profile, e.relevant

-- name: clusters
{#
row = "one row per user in truth: the cluster that the user belongs to"
inline = true
#}
select t.user_id, min(t.cluster) as cluster
from given_truth as t{% if named %}

where typeof(t.cluster) <> '"NULL"'{% endif %}

group by t.user_id
