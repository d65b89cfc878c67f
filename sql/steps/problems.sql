{#
row = "one row if the input can't be measured: what is wrong with it"
#}
{% set found = rendering.checks() %}
select string_agg(p.message, '; ') as message
from (
{% for text in found %}
    ({{ text | indent(5) }})
    {{ "union all" if not loop.last }}
{% endfor %}
) as p
having count(*) > 0
