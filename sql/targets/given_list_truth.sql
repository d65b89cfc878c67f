{# The LISTs relevant and relevance of a scalar macro; without relevance every item has 1. #}
select
    'of these lists' as user_id,
    unnest(relevant) as item_id,
    unnest(coalesce(cast(relevance as double[]), list_transform(relevant, lambda x: 1e0))) as relevance,
    generate_subscripts(relevant, 1) as rank
