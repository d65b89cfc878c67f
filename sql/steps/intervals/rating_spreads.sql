{#
row = "one row per mean of ratings: its standard error, with the pairs of a user taken together, and the degrees of freedom"
grain = "rating"
#}
{# The error of a square root is that of the square, divided by twice the root. #}
select
{% if modelled %}
    s.model,
{% endif %}
    s.place,
    s.value,
    d.raters - 1e0 as df,
    sqrt(d.squares * d.raters / nullif(d.raters - 1e0, 0e0)) / nullif(d.weight, 0){% for column in rating_columns %}{% if column.header.get("root") and column.method == "clusters" %}

    / case when s.place = {{ column.place }} then nullif(2e0 * s.value, 0e0) else 1e0 end{% endif %}{% endfor %} as std_error,
    d.raters < {{ 200 if by_user else 40 }} as few
from rating_summary as s
inner join deviations as d on {{ same_model("d", "s") }}d.place = s.place
where d.raters > 0
