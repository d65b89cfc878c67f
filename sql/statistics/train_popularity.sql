{#
about = "sum of the popularity of all items of train"
over = "run"
#}
{{ double("(select sum(i.popularity) from item_popularities as i)") }}
