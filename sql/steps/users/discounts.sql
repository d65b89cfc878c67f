{#
row = "a single row: the discounts of the ranks 1, 2, ... up to the length of the longest ideal list"
#}
{% macro longest() %}(select coalesce(max(u.relevant), 0) from users as u){% endmacro %}
{% set last %}
{% if ideal == "constant" %}
{{ deepest }}
{%- elif ideal == "truth_uncut" %}
{{ longest() }}
{%- else %}
least({{ depth }}, {{ longest() }})
{%- endif %}
{% endset %}
select {{ sql.ordered_list(sql.in_units(discount_at("n.i")), "n.i") }} as weights
from {{ sql.whole_numbers(1, last) }} as n
