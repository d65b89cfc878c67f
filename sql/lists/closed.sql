{#
about = "the recommended items that count, without gaps"
#}
{% set judged_only = condition(judged_only="true") %}
{% set is_judged = judged_only.then("list_contains(l.judged, x)", "true") %}
{% set is_the_copy = choose("duplicates",
    first="list_position(l.recommended, x) = i",
    last="not list_contains(l.recommended[i + 1:], x)",
    otherwise="true",
) %}
{% set kept = "list_filter(l.recommended, lambda x, i: " ~ is_judged ~ " and " ~ is_the_copy ~ ")" %}
{{ (judged_only | either(condition(duplicates="first last"))).then(kept, "l.recommended") }}
