{#
row = "one row per pair of models, metric, cut-off and difference that is not 0: the number of users who have it"
grain = "pair"
kept = true
#}
{# Rounded, so that differences that should be equal are ties. #}
{% if parts %}
{% set pair = "g.number" if pairs_sliced else "p.pair" %}
select {{ pair }}{{ " as pair" if pairs_sliced }}, a.place, p.k, p.difference, cast(sum(p.users) as bigint) as users
from pairs_of_parts as p
inner join asked as a on p.place = {{ of_metric("{order}", of="a") | indent }}{% if pairs_sliced %}

inner join segment_pairs as g on g.pair = p.pair and g.slice = p.slice and g.segment is not distinct from p.segment{% endif %}

where p.difference is not null
group by {{ pair }}, a.place, p.k, p.difference
{% else %}
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
{% endif %}
