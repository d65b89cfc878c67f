{#
about = "the step that has divided train, once or twice"
grain = "interaction"
#}
{% if validation == "true" %}
validated
{% else %}
parted
{% endif %}
