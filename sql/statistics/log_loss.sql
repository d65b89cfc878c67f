{#
about = "sum of -ln of the probability that was given to the label"
over = "pairs"
needs = ["labels", "probabilities"]
#}
{# Of NULL and a number, least and greatest return the number. #}
{% set given = "case when " ~ label_of("p.rating") ~ " = 1 then p.prediction else 1 - p.prediction end" %}
{% set clipped = "least(greatest(" ~ given ~ ", " ~ double(logloss_clip) ~ "), 1 - " ~ double(logloss_clip) ~ ")" %}
{{ sql.any_sum("case when p.prediction is not null then -ln(" ~ clipped ~ ") end") }}
