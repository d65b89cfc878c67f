{#
about = "the recommended items as far down as they are read"
#}
{% set items = rendering.counting_items %}
{% set depth = rendering.deep.then("len(" ~ items ~ ")", "coalesce(l.cutoff, len(" ~ items ~ "))") %}
{{ items }}[:{{ depth }}]
