{#
message = "seen='{seen}': it removes or refuses what users have in train; give train= as well"
#}
