{# The LIST recommended of a scalar macro. #}
select
    cast(null as varchar) as model,
    'of these lists' as user_id,
    unnest(recsql.comparable(recommended, recommended, truth)) as item_id,
    generate_subscripts(recommended, 1) as rank,
    cast(null as double) as score
