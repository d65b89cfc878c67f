{# The values of the options of the macros. #}
map {
{% for option in choices %}
    '{{ option.name }}': [{{ option.choices | map("sql_literal") | join(", ") }}]{{ "," if not loop.last }}
{% endfor %}
}
