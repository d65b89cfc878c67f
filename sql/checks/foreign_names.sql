{#
message = "{name} is {library}'s name, and its convention differs ({options}): add {way}"
#}
