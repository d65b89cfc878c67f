{#
message = "{train}: there is no column user_id, whose rows train.activity counts; name it with user='...'"
#}
