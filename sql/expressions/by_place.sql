{#
about = "of texts, one for each of some metrics asked for, the one at the place of `a` among them"
#}
case a.place
{% for place, text in texts %}
    when {{ place }} then {{ text }}
{% endfor %}
end
