{#
The given tables as queries with recsql's column names: in a macro, over a table that is named by a parameter, whose
columns are not known.
#}

-- name: given_recs
{# The table in a macro's parameter. A missing column is NULL, without a type. In a CSV file without rows, a rank is text. #}
select
    cast(r.model as varchar) as model,
    typeof(r.model) <> '"NULL"' as has_model,
    r.user_id,
{% if spans %}
    r.document,
    recsql.whole_number(r.start) as start,
    recsql.whole_number(r."end") as stop,
    {'document': r.document, 'start': recsql.whole_number(r.start), 'end': recsql.whole_number(r."end")} as item_id,
{% else %}
    r.item_id,
{% endif %}
    recsql.whole_number(r.rank) as rank,
    r.rank as given_rank,
    r.score{% if any_order %},
    case when typeof(r.rank) = '"NULL"'{{ " or typeof(r.score) <> '\"NULL\"'" if prefers_score }} then 'score' else 'rank' end as rank_by{% endif %}{% if budget %},
    recsql.whole_number(r.{{ budget }}) as cost{% endif %}

from (
    from {{ source }}
    union all by name
    select null as model, null as user_id, {{ 'null as document, null as start, null as "end"' if spans else "null as item_id" }}, null as rank, null as score{{ ", null as " ~ budget if budget }}
    where false
) as r

-- name: given_truth
{# The table in a macro's parameter. Without a column relevance, every row has relevance 1. #}
select
    t.user_id,
{% if spans %}
    t.document,
    recsql.whole_number(t.start) as start,
    recsql.whole_number(t."end") as stop,
    {'document': t.document, 'start': recsql.whole_number(t.start), 'end': recsql.whole_number(t."end")} as item_id,
{% else %}
    t.item_id,
{% endif %}
    case when typeof(t.relevance) = '"NULL"' then 1e0 else recsql.number(t.relevance) end as relevance,
    try_cast(t.rank as bigint) as rank,
    t.cluster{% if propensity %},
    recsql.number(t.{{ propensity }}) as propensity{% endif %}

from (
    from {{ source }}
    union all by name
    select null as user_id, {{ 'null as document, null as start, null as "end"' if spans else "null as item_id" }}, null as relevance, null as rank, null as cluster{{ ", null as " ~ propensity if propensity }}
    where false
) as t

-- name: given_users
{# The users of the table in a macro's parameter; nobody if the parameter is left out. #}
select distinct g.user_id
from (
    from {{ source }}
    union all by name
    select null as user_id
    where false
) as g{% if given %}

where {{ given }}{% endif %}

-- name: given_segments
{# The table in a macro's parameter: each column but user_id is a slice. Without any, it has one that is none. #}
select s.*
from (
    from {{ source }}
    union all by name
    select null as user_id, null::varchar as no_slice
    where false
) as s

-- name: given_items
{# The table in a macro's parameter; empty if the parameter is left out. #}
select i.item_id, i.category
from (
    from {{ source }}
    union all by name
    select null as item_id, null::varchar as category
    where false
) as i{% if given %}

where {{ given }}{% endif %}

-- name: given_train
{# The table in a macro's parameter; empty if the parameter is left out. #}
select t.user_id, t.item_id
from (
    from {{ source }}
    union all by name
    select null as user_id, null as item_id
    where false
) as t{% if given %}

where {{ given }}{% endif %}

-- name: given_candidates
{# The table in a macro's parameter. #}
select c.user_id, c.item_id
from (
    from {{ source }}
    union all by name
    select null as user_id, null as item_id
    where false
) as c

-- name: given_predictions
{# The table in a macro's parameter. #}
select p.model, p.user_id, p.item_id, cast(p.prediction as double) as prediction, cast(p.rating as double) as rating
from (
    from {{ source }}
    union all by name
    select null::varchar as model, null as user_id, null as item_id, null as prediction, null as rating
    where false
) as p

-- name: given_ratings
{# The table in a macro's parameter. #}
select t.user_id, t.item_id, cast(t.rating as double) as rating
from (
    from {{ source }}
    union all by name
    select null as user_id, null as item_id, null as rating
    where false
) as t
