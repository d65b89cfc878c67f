{# An error that says why two lists can't be measured, else NULL. #}
{% macro refused(check) %}

        then {{ refusal(check, user="null", **kwargs) | indent(8) }}
{%- endmacro %}
{% set types = {"in_left": "typeof(recommended[1])", "in_right": "typeof(judged[1])"} %}
{% set missing = "list_position(list_transform(judged, lambda x, j: coalesce(isfinite(relevance[j]), false)), false)" %}
case
    when list_position(recommended, null) > 0
        {{- refused("recs_ids", column="'item_id'", item="'NULL'", rank="list_position(recommended, null)") }}
    when list_position(judged, null) > 0{{ " or len(relevance) > len(judged)" if inputs.graded }}
        {{- refused("truth_ids", column="'item_id'", item="'NULL'") }}
    when
        recsql.id_type({{ types.in_left }}) <> recsql.id_type({{ types.in_right }})
        and len(recommended) > 0
        and len(judged) > 0
        {{- refused("id_types", column="'item_id'", left="'recommended'", right="'relevant'", **types) }}
{% if inputs.graded %}
    when relevance is not null and {{ missing }} > 0
        {{- refused("relevance", relevance="relevance[" ~ missing ~ "]", item="judged[" ~ missing ~ "]") }}
{% endif %}
end
