{# An error that says why two lists can't be measured, else NULL. #}
{% set types = {"in_left": "typeof(recommended[1])", "in_right": "typeof(judged[1])"} %}
{% set missing = "list_position(list_transform(judged, lambda x, j: coalesce(isfinite(relevance[j]), false)), false)" %}
case
    when list_position(recommended, null) > 0
        then {{ refusal("recs_ids", column="'item_id'", item="'NULL'", rank="list_position(recommended, null)", user="null") | indent(8) }}
    when list_position(judged, null) > 0{{ " or len(relevance) > len(judged)" if graded }}
        then {{ refusal("truth_ids", column="'item_id'", item="'NULL'", user="null") | indent(8) }}
    when
        recsql.id_type({{ types.in_left }}) <> recsql.id_type({{ types.in_right }})
        and len(recommended) > 0
        and len(judged) > 0
        then {{ refusal("id_types", column="'item_id'", left="'recommended'", right="'relevant'", **types) | indent(8) }}
{% if graded %}
    when relevance is not null and {{ missing }} > 0
        then {{ refusal("relevance", relevance="relevance[" ~ missing ~ "]", item="judged[" ~ missing ~ "]", user="null") | indent(8) }}
{% endif %}
end
