{#
about = "the step whose interactions are split"
grain = "interaction"
#}
{% if limited %}
kept_interactions
{% else %}
given_interactions
{% endif %}
