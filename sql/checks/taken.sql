{#
message = "{option}: the result already has a column {name}; rename yours in a view, or leave one of them out"
#}
