{#
about = "distinct items of train recommended in the top k"
over = "items"
empty = "0"
needs = ["train"]
#}
sum(f.train_items)
