{# The bounds of the numeric options of the macros over two lists. #}
map {
{% for option in numbers %}
    '{{ option.name }}': {'whole': {{ "true" if option.type == "integer" else "false" }}, 'above': {{ double("'-inf'" if option.above is none else option.above) }}, 'at_most': {{ double("'inf'" if option.at_most is none else option.at_most) }}, 'bound': '{{ option.bound }}'}{{ "," if not loop.last }}
{% endfor %}
}
