{#
about = "what is known of a user `u` of population, of what any step reads: how much is relevant to him, with which gains, how long his list is"
#}
{% for name in rendering.known %}u.{{ name }}, {% endfor %}u.relevant
