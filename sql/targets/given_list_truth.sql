{# The LISTs truth and relevance of a scalar macro, the first called relevant where people call it; without relevance every item has 1. #}
select
    'of these lists' as user_id,
    unnest(recsql.comparable(truth, recommended, truth)) as item_id,
    unnest(coalesce(cast(relevance as double[]), list_transform(truth, lambda x: 1e0))) as relevance,
    generate_subscripts(truth, 1) as rank
