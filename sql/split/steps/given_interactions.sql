{#
row = "one row per interaction, with all columns"
grain = "interaction"
inline = true
#}
{% if by_row %}
select
    t.*,
    row_number() over () as row_place
from (
    {{ tables.interactions.select | indent }}
) as t
{% else %}
{{ tables.interactions.select }}
{% endif %}
