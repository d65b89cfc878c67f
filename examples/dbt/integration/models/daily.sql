{{ config(materialized="incremental", incremental_strategy="delete+insert", unique_key="dt") }}
{% set new = "where dt >= (select max(dt) from " ~ this ~ ")" if is_incremental() %}

with recs as (
    select model, {'dt': dt, 'user_id': user_id} as user_id, item_id, rank from {{ ref("daily_recs") }} {{ new }}
),

truth as (
    select {'dt': dt, 'user_id': user_id} as user_id, item_id from {{ ref("daily_truth") }} {{ new }}
),

days as (
    select distinct user_id, user_id.dt as dt from truth
)

select cast(segment as date) as dt, model, metric, k, value, users, lists
from ({{ recsql.evaluate_by("recs", "truth", "days", k=3, metrics=["ndcg", "recall"]) }})
where slice = 'dt' and lists > 0
