{#
message = "{option}: '{value}' does not give each type of event a number that is at least 0; write it like click:1,buy:3 or home/click:1,cart/buy:3"
#}
