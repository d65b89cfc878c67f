{#
message = "{metric} can't be computed with {options}; choose another value, or leave {metric} out"
#}
