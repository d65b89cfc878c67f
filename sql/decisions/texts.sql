{# What ids stand for, where a call has a table of it: the texts of users, and the titles of items. #}
{% macro text_column(x="x.told") %}{{ "\n    " ~ x ~ " as text," if "questions" in tables }}{% endmacro %}
{% macro text_join(user) %}{% if "questions" in tables %}

left join (
    {{ tables.questions.select | indent }}
) as x on x.id = {{ sql.text(user) }}{% endif %}{% endmacro %}

{# Beside texts, the titles of the items that are relevant for a user; an item without a title has its id. #}
{% macro titles_column(w="w.titles") %}{{ ",\n    " ~ w if "questions" in tables and "titles" in tables }}{% endmacro %}
{% macro titles_join(user) %}{% if "questions" in tables and "titles" in tables %}

left join (
    select t.user_id, {{ sql.sorted_texts("coalesce(i.told, " ~ sql.text("t.item_id") ~ ")") }} as titles
    from relevant as t
    left join (
        {{ tables.titles.select | indent(8) }}
    ) as i on i.id = {{ sql.text("t.item_id") }}
    group by t.user_id
) as w on w.user_id = {{ user }}{% endif %}{% endmacro %}
