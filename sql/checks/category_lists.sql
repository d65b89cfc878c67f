{#
message = "{items}: category is {found}; unnest it in a view, with one category per row"
place = 2
#}
{% set by_category = rendering.some(entropy_scope="category") %}
{% if inputs.named and by_category.possible %}
select
    {{ sentence(found="typeof(i.category)") }} as message
from given_items as i
where
    typeof(i.category) like '%]'
    {{ by_category.also }}
limit 1
{% endif %}
