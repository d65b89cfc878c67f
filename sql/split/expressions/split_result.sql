{#
about = "the last step of a split"
grain = "interaction"
#}
{% if split__target != "all" %}
targeted
{% elif dropped %}
known
{% else %}
{{ divided() }}
{% endif %}
