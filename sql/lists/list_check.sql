{#
about = "an error in words for two lists that can't be measured, else NULL"
parameters = "l"
#}
{% set types = {"in_left": "typeof(l.recommended[1])", "in_right": "typeof(l.judged[1])"} %}
{% set same = "^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$" %}
case
    when list_position(l.recommended, null) > 0
        then {{ refusal("recs_ids", column="'item_id'", item="'NULL'", rank="list_position(l.recommended, null)") | indent(8) }}
    when list_position(l.judged, null) > 0 or len(l.relevance) > len(l.judged)
        then {{ refusal("truth_ids", column="'item_id'", item="'NULL'") | indent(8) }}
    when
        regexp_replace({{ types.in_left }}, '{{ same }}', 'INTEGER')
        <> regexp_replace({{ types.in_right }}, '{{ same }}', 'INTEGER')
        and len(l.recommended) > 0
        and len(l.judged) > 0
        then {{ refusal("id_types", column="'item_id'", left="'recommended'", right="'relevant'", **types) | indent(8) }}
end
