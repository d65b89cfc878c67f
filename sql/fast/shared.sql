{#
row = "one row per pair of models and cut-off: over the users with a hit in both lists, the products, and who is ahead"
before = "paired_sums"
#}
{# Other users have a value above 0 in one list at most, so their part follows from the sums of each model. #}
select
    p.pair,
    a.k{% for column in user_columns %}{% set x, base = "a." ~ column.name, "b." ~ column.name %},
    count(case when {{ x }} > 5e-13 then 1 end) as {{ column.name }}_others,
    count(case when {{ base }} > 5e-13 then 1 end) as {{ column.name }}_base_others,
    count(case when {{ x }} - {{ base }} > 5e-13 then 1 end) as {{ column.name }}_wins,
    count(case when {{ base }} - {{ x }} > 5e-13 then 1 end) as {{ column.name }}_losses,
    {{ sql.exact_units(x ~ " * " ~ base) }} as {{ column.name }}_products{% endfor %}

from model_pairs as p
inner join per_user as a on a.model is not distinct from p.model
inner join per_user as b on b.model is not distinct from p.baseline and b.user_id = a.user_id and b.k = a.k
group by p.pair, a.k
