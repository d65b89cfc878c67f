{#
message = "{option}: it applies only with by=; give that as well, or leave {option}= out"
#}
