{# The bounds of the numeric options of the macros. #}
map {
{% for option in numbers %}
    '{{ option.name }}': {'whole': {{ "true" if option.type == "integer" else "false" }}, 'above': {{ bound(option.above, "-inf") }}, 'at_least': {{ bound(option.at_least, "-inf") }}, 'at_most': {{ bound(option.at_most, "inf") }}, 'bound': '{{ option.bound }}'}{{ "," if not loop.last }}
{% endfor %}
}
