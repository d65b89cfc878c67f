{#
about = "the join of the rows `x`, of the model in `of`, with the groups of users `o` that are left out"
#}
{% set of = of | default(x) %}
{% set same = ["o.model is not distinct from " ~ of ~ ".model"] if modelled and not of_pairs else [] %}
{% set same = same + (["o.slice = " ~ x ~ ".slice", "o.segment is not distinct from " ~ x ~ ".segment"] if sliced else []) %}
{{ "inner join left_out as o on " ~ same | join(" and ") if same else "cross join left_out as o" }}
