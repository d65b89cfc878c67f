{#
about = "the request of a shown item i: its own id, or the number of its request r"
grain = "event"
#}
{% if named %}
coalesce(i.request_id, r.request_id)
{%- elif numbered %}
r.request_id
{%- else %}
i.request_id
{%- endif %}
