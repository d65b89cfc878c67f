{#
message = "{truth} has a column {column} that is not read, so every row counts as relevant; relevance='{column}' reads it"
warning = true
on = ["given_truth"]
when = "unread"
#}
select
    {{ sentence(column=literal(unread)) | indent }} as message
