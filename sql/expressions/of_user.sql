{#
about = "the columns of a user `u` of population: number of relevant items, profile of gains, length of the list"
#}
{% if profiled %}u.profile, {% endif %}{% if needs.entries %}u.entries, {% endif %}{% if needs.lengths %}u.returned, {% endif %}{% if needs.ranks %}u.ranks, {% endif %}u.relevant
