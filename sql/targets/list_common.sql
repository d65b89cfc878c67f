{# The options that all metrics of a kind take, with the sentence for the first invalid one, which is NULL in most calls. A metric's own options are checked before `ideal`. #}
{% macro pair(option) %}['{{ option.name }}', cast({{ option.name }} as varchar)]{% endmacro %}
{
    'fault': coalesce(
        recsql.fault(
            flatten([
                [{% for option in choices if option.name in before %}{{ pair(option) }}{{ ", " if not loop.last }}{% endfor %}],
                own_choices,
                [{% for option in choices if option.name not in before %}{{ pair(option) }}, {% endfor %}['like', lower(preset)]]
            ]),
            flatten([[{% for option in numbers %}{{ pair(option) }}{{ ", " if not loop.last }}{% endfor %}], own_numbers])
        ),
{% for option in idle %}
{% for other, values in option.where.items() %}
        case
            when {{ option.name }} is distinct from {{ literal(option.default) }} and {{ other }} is distinct from '{{ values }}'
                then {{ sentence("idle_options", option="'" ~ option.name ~ "'", other="'" ~ other ~ "'", value="'" ~ values ~ "'") }}
        end,
{% endfor %}
{% endfor %}
        own_fault
    ),
{% for option, text in resolved.items() %}
    '{{ option }}': {{ text }}{{ "," if not loop.last }}
{% endfor %}
}
