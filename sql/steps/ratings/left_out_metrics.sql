{#
row = "one row per model and group of users: the metrics of all other users"
grain = "rating"
#}
{% macro variance(name) %}
(e.{{ name }}_variance * e.used - g.{{ name }}_squares) / nullif(e.used - g.used, 0) - power(g.{{ name }}_deviation / nullif(e.used - g.used, 0), 2)
{%- endmacro %}
select
{% if modelled %}
    s.model,
{% endif %}
    s.part{% for column in rating_columns %}{% if column.method == "groups" %},
    {{ column.natural }} as {{ column.name }}{% endif %}{% endfor %}

from (
    select
{% if modelled %}
        g.model,
{% endif %}
        g.part{% for one in statistics("pairs") %},
{% if one == "pairs" %}
        e.used - g.used as pairs
{%- elif one == "rating_variance" %}
        {{ variance("rating") }} as rating_variance
{%- elif one == "error_variance" %}
        {{ variance("error") }} as error_variance
{%- elif one == "median_absolute_error" %}
        m.median_absolute_error
{%- else %}
        e.{{ one }} - g.{{ one }} as {{ one }}
{%- endif %}{% endfor %}

    from group_errors as g
    inner join rating_errors as e on {{ on_model("e", "g") }}{% if needs.median_absolute_error %}

    left join left_out_medians as m on {{ same_model("m", "g") }}m.part = g.part{% endif %}

) as s
