with lists as (
    select * from {{ ref("recs") }} where model = 'ease'
)

{{ recsql.evaluate("lists", ref("truth"), k=10) }}
