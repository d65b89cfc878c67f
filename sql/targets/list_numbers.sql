{# The bounds of the numeric options of the macros; NULL if there is none. #}
map {
{% for option in numbers %}
    '{{ option.name }}': {'whole': {{ "true" if option.type == "integer" else "false" }}, 'above': {{ bound(option.above) }}, 'at_least': {{ bound(option.at_least) }}, 'at_most': {{ bound(option.at_most) }}, 'bound': '{{ option.bound }}'}{{ "," if not loop.last }}
{% endfor %}
}
