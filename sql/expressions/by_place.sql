{#
about = "the text of one metric: `texts` has one text for each place, and `a` gives the place"
#}
case a.place
{% for place, text in texts %}
    when {{ place }} then {{ text }}
{% endfor %}
end
