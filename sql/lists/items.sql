{#
about = "the recommended items that are read, in order"
#}
{% set items = rendering.counting_items %}
{% set depth = rendering.deep.then("len(" ~ items ~ ")", "coalesce(l.cutoff, len(" ~ items ~ "))") %}
{{ items }}[:{{ depth }}]
