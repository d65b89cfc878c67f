{#
about = "the time up to which the events are complete, or, with x, a time at some distance from it"
grain = "event"
#}
{% if named %}
coalesce({{ until }}, (select max(e.ts) from given_events as e)){{ x }}
{%- elif until is none %}
(select max(e.ts){{ x }} from given_events as e)
{%- else %}
{{ sql.time(literal(until)) }}{{ x }}
{%- endif %}
