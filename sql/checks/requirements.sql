{#
message = "{metric} needs the option {options}"
#}
