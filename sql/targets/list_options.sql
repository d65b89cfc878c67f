{# The options of a metric over two lists: the common ones, its own, and whether it reads on beyond rank k. #}
struct_insert(
    recsql.{{ common }}(
        {{ given }},
        [{% for name in choices %}['{{ name }}', cast({{ name }} as varchar)]{{ ", " if not loop.last }}{% endfor %}], [{% for name in numbers %}['{{ name }}', cast({{ name }} as varchar)]{{ ", " if not loop.last }}{% endfor %}], {% if refused %}case
{% for condition, text in refused %}
            when {{ condition }} then {{ text }}
{% endfor %}
        end{% else %}null{% endif %}

    ),
{% for option, text in resolved.items() %}
    {{ option }} := {{ text }},
{% endfor %}
    deep := {{ deep }}
)
