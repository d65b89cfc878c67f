{#
about = "number of items in train"
over = "run"
needs = ["train"]
#}
{{ double("(select count(*) from train_items as t)") }}
