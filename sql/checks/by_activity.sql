{#
message = "by: {part}: the activity is cut at whole numbers from 1, as in train.activity[1,10,100]"
#}
