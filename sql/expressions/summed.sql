{#
about = "the sum of `x` over the hits h that meet the condition `where`; or its expected value, if ties spread each hit over several ranks"
#}
{# `leads`, the probability that a hit is the first one and at this rank, is the weight itself. Without ties, each hit counts 1. #}
{% set where = where | default("") %}
{% set one = x == "1" %}
{% set weight = "h.probability" if one else x if "h.leads" in x else ("(" ~ x ~ ")" if " " in x else x) ~ " * h.probability" %}
{% if expected %}
{{ sql.exact_sum("case when " ~ where ~ " then " ~ weight ~ " else 0e0 end" if where else weight) }}
{% elif one %}
count({{ "case when " ~ where ~ " then 1 end" if where else "*" }})
{% else %}
{{ sql.exact_sum("case when " ~ where ~ " then " ~ x ~ " end" if where else x) }}
{% endif %}
