{#
message = "{option}: '{value}' is not a length of time; write a whole number of weeks, days, hours, minutes or seconds, such as 7 days"
#}
