{#
about = "number of items in train"
over = "run"
#}
{{ double("(select count(*) from train_items as t)") }}
