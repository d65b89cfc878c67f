{#
message = "{train}: there is no column user_id, which seen= needs; name it with user='...'"
#}
