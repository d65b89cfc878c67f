{#
message = "by: train.activity is the number of a user's rows in train; give that table as well"
#}
