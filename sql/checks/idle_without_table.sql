{#
message = "{option}: it applies only with {other}=; give that as well, or leave {option}= out"
#}
