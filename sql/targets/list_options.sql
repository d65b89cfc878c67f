{# The options of a metric over two lists, with the sentence for the first invalid one, which is NULL in most calls. #}
{
    'fault': coalesce(recsql.fault(
        [{% for option in choices %}['{{ option.name }}', cast({{ option.name }} as varchar)], {% endfor %}['like', lower("like")]],
        [{% for option in numbers %}['{{ option.name }}', cast({{ option.name }} as varchar)]{{ ", " if not loop.last }}{% endfor %}]
    ){% for option in idle %}{% for other, values in option.where.items() %}, case
        when {{ option.name }} is distinct from {{ literal(option.default) }} and {{ other }} is distinct from '{{ values }}'
            then {{ sentence("idle_options", option="'" ~ option.name ~ "'", other="'" ~ other ~ "'", value="'" ~ values ~ "'") }}
    end{% endfor %}{% endfor %}{% for condition, text in refused %}, case
        when {{ condition }} then {{ text }}
    end{% endfor %}),
{% for option, text in resolved.items() %}
    '{{ option }}': {{ text }},
{% endfor %}
    'deep': {{ deep }}
}
