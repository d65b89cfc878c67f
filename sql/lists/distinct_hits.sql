{#
about = "distinct relevant items in the top k"
#}
{% set hits = rendering.found_at_k %}
{{ choose("duplicates", count="list_unique(list_transform(" ~ hits ~ ", lambda h: h.place))", otherwise="len(" ~ hits ~ ")") }}
