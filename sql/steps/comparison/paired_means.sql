{#
row = "one row per pair of models, cut-off, model of the pair and group of users that is left out (NULL: none): the metrics that are made of means"
grain = "pair"
#}
{# A mean reads sums of `t` and the number of users of `n`. Here both are in one row. #}
select
    t.pair,
    t.k,
    t.part,
    t.is_baseline,
    t.users{% for column in by_groups(user_columns) %},
    {{ column.mean(mean_of_totals("t.users"), "t.users") | indent }} as {{ column.name }}{% endfor %}

from left_out_pairs as t
