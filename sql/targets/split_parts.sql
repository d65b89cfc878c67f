{# The rows of a split, once they are stored: some of the parts, or all with the column part. #}
{% if part %}
select t.* exclude (part)
from {{ rows }} as t
where t.part = {{ part | sql_literal }}
{% else %}
select t.* replace (case when t.part in ('cold_user', 'cold_item', 'repeat', 'not_target') then 'unused' else t.part end as part)
from {{ rows }} as t
{% endif %}
