{#
row = "one row per model and user with a hit: what the hits of the whole list come to"
#}
select
    h.model,
    h.user_id{% for name, sum in rendering.over("list").items() %},
    {{ sum }} as {{ name }}
{%- endfor %}

from hits as h
group by h.model, h.user_id
