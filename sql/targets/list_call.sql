{# A metric of two lists. They are bound first, beside no table: a column called k would be taken for one of ours further in. #}
(
    select m.{{ name }}
    from (
        select
            recommended as given_recommended,
            relevant as given_relevant,
            k as given_k,
            relevance as given_relevance
    ) as p,
    recsql.of_lists(
        {{ arguments | indent }}
    ) as m
)
