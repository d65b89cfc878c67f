{#
message = "seen = '{seen}': it removes or refuses what users have in train; give the table train as well"
#}
