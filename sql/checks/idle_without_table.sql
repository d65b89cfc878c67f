{#
message = "{option}: it applies only with the table {other}; give that as well, or leave {option} out"
#}
