{#
about = "popularity of the most popular item of train"
over = "run"
#}
{{ double("(select max(i.popularity) from item_popularities as i)") }}
