{#
about = "of them, those in train"
over = "items"
empty = "0"
#}
sum(f.train_items)
