{# The rows of a split: some of the parts, or all with the column part. #}
{% if part %}
select t.* exclude (part)
from (
    {{ rows | indent }}
) as t
where t.part = {{ part | sql_literal }}
{% else %}
select t.* replace (case when t.part in ('{{ reasons | join("', '") }}') then 'unused' else t.part end as part)
from (
    {{ rows | indent }}
) as t
{% endif %}
