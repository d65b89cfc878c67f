{# The sums over lists, to be added to those of other users: of novelty, popularity and categories, and of items' shares of lists. #}
{% set steps = sums("run_at_k") | selectattr("over", "in", ["popularities", "categories"]) | list %}
{% macro rows(from) %}
select
    {{ key_of_part("y") }}
    y.k{% for step in steps %}{% for one in statistics(step.over) %},
    {{ "y." if step.name == from else "null as " }}{{ one }}{% endfor %}{% endfor %}{% if needs.weights %},
    {{ "y." if "weights" in from else "null as " }}item_id{% for one in weight_columns %},
    {{ "y." if "weights" in from else "null as " }}{{ one }}{% endfor %}{% endif %}

from {{ from }} as y
where {{ measurable() }}
{% endmacro %}
{% for step in steps %}
{% if not loop.first %}
union all
{% endif %}
{{ rows(step.name) | trim }}
{% endfor %}
{% if steps and needs.weights %}
union all
{% endif %}
{% if needs.weights %}
{{ rows("group_weights" if item_groups else "item_weights") | trim }}
{% endif %}
