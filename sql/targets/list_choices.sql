{# The values of the options of the macros. #}
map {
{% for option in choices %}
    '{{ option.name }}': '{{ option.choices | join(", ") }}'{{ "," if not loop.last }}
{% endfor %}
}
