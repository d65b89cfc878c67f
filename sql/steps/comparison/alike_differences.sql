{#
row = "one row per pair of models, metric, cut-off and difference that is not 0: the number of users who have it"
grain = "pair"
kept = true
#}
{# Rounded, so that differences that should be equal are ties. #}
select d.pair, d.place, d.k, d.difference, count(*) as users
from (
    select
        d.pair,
        a.place,
        d.k,
        round({{ of_metric("d.{name} - d.{name}_base", of="a") | indent(8) }}, 12) as difference
    from {{ "sliced_differences" if pairs_sliced else "differences" }} as d
    cross join asked as a
) as d
where d.difference <> 0e0
group by d.pair, d.place, d.k, d.difference
