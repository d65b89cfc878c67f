{#
about = "different relevant items among the first k"
#}
{% set hits = rendering.found_at_k %}
{{ choose("duplicates", count="list_unique(list_transform(" ~ hits ~ ", lambda h: h.place))", otherwise="len(" ~ hits ~ ")") }}
