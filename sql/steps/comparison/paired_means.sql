{#
row = "one row per pair of models, cut-off, model of the pair and group of users that is left out (NULL: none): the metrics that are made of means"
grain = "pair"
when = "pair_groups and not partial"
#}
select
    t.pair,
    t.k,
    t.part,
    t.is_baseline,
    t.users{% for column in by_groups(user_columns) %},
    {{ column.mean | indent }} as {{ column.name }}{% endfor %}

from left_out_pairs as t
inner join left_out_pairs as n
    on n.pair = t.pair and n.k = t.k and n.is_baseline = t.is_baseline and n.part is not distinct from t.part
