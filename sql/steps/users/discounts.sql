{#
row = "a single row: the discounts of the ranks 1, 2, ... up to the length of the longest ideal list"
when = "of_users and needs.discounts"
#}
{% macro longest() %}(select coalesce(max(u.relevant), 0) from users as u){% endmacro %}
{% macro most_hits() %}(select coalesce(max(n.hits), 0) from (select count(*) as hits from hits as h group by {{ model("h") }}h.user_id) as n){% endmacro %}
{% set last %}
{% if ideal == "constant" %}
{{ deepest }}
{%- elif ideal == "truth_uncut" %}
{{ longest() }}
{%- elif ideal == "candidates" %}
{{ "least(" ~ depth ~ ", " ~ most_hits() ~ ")" if uncut else depth }}
{%- else %}
least({{ depth }}, {{ longest() }})
{%- endif %}
{% endset %}
select {{ sql.ordered_list(discount_at("n.i"), "n.i") }} as weights
from {{ sql.whole_numbers(1, last) }} as n
