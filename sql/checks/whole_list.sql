{#
message = "{metric}: {what} needs a cut-off, and the whole list has none; give one such as 10"
#}
