{#
message = "{truth} has a column {column} that is not read, so every row counts as relevant; {way} reads it"
warning = true
when = "unread"
#}
select
    {{ sentence(column=literal_of(unread), way=option_said("relevance", unread)) | indent }} as message
