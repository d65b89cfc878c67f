{#
about = "the same from the last on: an item whose two ranks are not those of one place stands in the list twice"
#}
{% set items = rendering.counting_items %}
{% set depth = rendering.deep.then("len(" ~ items ~ ")", "coalesce(l.cutoff, len(" ~ items ~ "))") %}
list_reverse({{ items }}[:{{ depth }}])
