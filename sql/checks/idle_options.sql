{#
message = "{option}: it applies only if {other}='{value}'; set that as well, or leave {option}= out"
#}
