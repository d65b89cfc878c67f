{# The key columns of the steps: the model, and with slices the segment of the users. Keys have only columns of the query; all but the slice can be NULL. #}
{% macro model(a) %}{{ a ~ ".model, " if modelled }}{% endmacro %}
{% macro same_model(a, b) %}{{ a ~ ".model is not distinct from " ~ b ~ ".model and " if modelled }}{% endmacro %}
{% macro on_model(a, b) %}{{ a ~ ".model is not distinct from " ~ b ~ ".model" if modelled else "true" }}{% endmacro %}
{% macro model_of(a) %}{{ a ~ ".model" if modelled else sql.text("null") ~ " as model" }}{% endmacro %}
{% macro named_model(a) %}{{ sql.text(a ~ ".model") if modelled else "''" }}{% endmacro %}
{% macro keys(a, after=", ") %}{{ a ~ ".model" ~ after if modelled }}{{ a ~ ".slice" ~ after ~ a ~ ".segment" ~ after if sliced }}{% endmacro %}
{% macro key_columns(a) %}{{ keys(a, ",\n    ") }}{% endmacro %}
{% macro same_keys(a, b) %}{{ same_model(a, b) }}{{ a ~ ".slice = " ~ b ~ ".slice and " ~ a ~ ".segment is not distinct from " ~ b ~ ".segment and " if sliced }}{% endmacro %}
{% macro on_keys(a, b) %}{{ same_keys(a, b)[:-5] or "true" }}{% endmacro %}

{# A cut-off as the column k of a result, NULL for the whole list, and as a sentence shows it. #}
{% macro as_k(k) %}{{ "cast(nullif(" ~ k ~ ", " ~ whole ~ ") as integer) as k" if uncut and not keyed else k }}{% endmacro %}
{% macro said_k(k) %}{{ "coalesce(" ~ sql.text("nullif(" ~ k ~ ", " ~ whole ~ ")") ~ ", 'all')" if uncut else k }}{% endmacro %}
