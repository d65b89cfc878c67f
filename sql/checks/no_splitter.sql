{#
message = "like: {like} has no options for splits; choose one of {presets}"
#}
