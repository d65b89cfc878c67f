{#
about = "what is labelled, as columns of x: an item of a request, or of a user"
grain = "event"

[options.unit]
about = "what is labelled, if there are impressions"
topic = "impressions"
default = "request"
where = { impressions = "table" }

[options.unit.values]
request = "the items of each request; evaluate takes a request as a user"
user = "the items of each user, in all their requests"
#}
{{ x }}.{{ "request_id" if by_request else "user_id" }}, {{ x }}.item_id
