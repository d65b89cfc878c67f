{#
kept = true
row = "one row per user with segments, slice and segment of the user"
when = "segmented"
#}
{% for one in slices %}{% if one.place > 1 %}

union all
{% endif %}
select{{ " distinct" if by_table }}
    v.user_id,
    {{ one.place }} as slice,
    {{ segment_of(one) | indent }} as segment
from segment_values as v{% for key in one["keys"] %}{% if key.by_quantiles %}
{% set q = key.ours ~ "_q" ~ key.quantiles %}

left join segment_quantiles as {{ q }}
    on {{ q }}.name = '{{ key.ours }}' and {{ q }}.quantiles = {{ key.quantiles }} and {{ q }}.value = {{ number_of(key) }}{% endif %}{% endfor %}{% endfor %}

