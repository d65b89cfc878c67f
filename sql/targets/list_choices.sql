{# The values that the options of two lists have. #}
map {
{% for option in choices %}
    '{{ option.name }}': [{{ option.choices | map("sql_literal") | join(", ") }}]{{ "," if not loop.last }}
{% endfor %}
}
