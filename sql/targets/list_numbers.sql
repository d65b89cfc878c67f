{# The bounds of the numeric options of the macros. #}
map {
{% for option in numbers %}
    '{{ option.name }}': '{{ bounds(option) }}'{{ "," if not loop.last }}
{% endfor %}
}
