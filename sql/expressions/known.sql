{#
about = "the columns of a user `u` of population that some step reads: number of relevant items, profile of gains, length of the list"
#}
{% for name in rendering.known %}u.{{ name }}, {% endfor %}u.relevant
