{#
message = "{option}: unknown value '{value}'; {hint}choose one of {values}"
#}
