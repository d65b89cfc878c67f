{#
message = "protocol: choose one of {protocols}; temporal is recommended, because no model sees the future"
place = 1
on = ["given_interactions"]
when = "protocol is none"
#}
select
    {{ sentence(protocols=literal(words_of("protocol"))) | indent }} as message
