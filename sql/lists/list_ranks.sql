{#
about = "the rank of each relevant item: 0 if it is not recommended; NULL if its relevance is too low, or if it is stated again"
parameters = "recommended, relevant, k, relevance{{ ', whole' if whole }}"
#}
{% set depth = "coalesce(case when not whole then l.cutoff end, len(l.recommended))" if whole else "coalesce(l.cutoff, len(l.recommended))" %}
{% set items = "xs" if duplicates == "last" else "l.recommended" %}
{% set is_judged = "list_contains(l.judged, x)" if judged_only == "true" else "" %}
{% set is_first = "list_position(" ~ items ~ ", x) = i" if duplicates in ["first", "last"] else "" %}
{% set counts = [is_judged, is_first] | select | join(" and ") %}
{% set first %}
    'checked': recsql.list_check(l),
    'k': coalesce(l.cutoff, greatest(len(l.recommended), 1)),
{%- endset %}
[{
    'recommended': recommended,
    'judged': relevant,
    'relevance': cast(relevance as double[]),
    'cutoff': recsql.list_cutoff(cast(k as varchar))
}]
{% if counts %}
.list_transform(lambda l: {
{{ first }}
{% if duplicates == "last" %}
    'recommended': list_transform(
        [list_reverse(l.recommended)],
        lambda xs: list_reverse(list_filter(xs, lambda x, i: {{ counts }}))
    )[1],
{% else %}
    'recommended': list_filter(l.recommended, lambda x, i: {{ counts }}),
{% endif %}
    'judged': l.judged,
    'relevance': l.relevance,
    'cutoff': l.cutoff
})
{% endif %}
.list_transform(lambda l: {
{{ "    'k': l.k," if counts else first }}
    'items': l.recommended[:{{ depth }}],
{% if duplicates == "error" %}
    -- an item that is there twice has another place here
    'reversed': list_reverse(l.recommended[:{{ depth }}]),
{% endif %}
{% if relevant == "present" %}
    'truth': l.judged,
{% elif relevance_threshold is none %}
    'truth': case
        when l.relevance is null then l.judged
        else list_transform(l.judged, lambda x, j: case when {{ is_relevant("l.relevance[j]") }} then x end)
    end,
{% else %}
    'truth': list_transform(l.judged, lambda x, j: case when {{ is_relevant("coalesce(l.relevance[j], 1e0)") }} then x end),
{% endif %}
{% if rejections or judgements %}
    'judged': l.judged,
{% endif %}
    'relevance': case
        when l.relevance is not null
            then list_transform(l.judged, lambda x, j: recsql.list_relevance(l.relevance[j], x))
    end
})
.list_transform(lambda l: {
    'ranks': list_transform(
        l.truth,
        lambda x, j: case
            when x is null or list_position(l.truth, x) < j then null
{% if truth_window == "k" %}
            when j > l.k then 0
{% elif truth_window == "rank" %}
            when j > list_position(l.items, x) then 0
{% endif %}
{% if duplicates == "error" %}
            when list_position(l.items, x) + list_position(l.reversed, x) <> len(l.items) + 1
                then {{ refusal("duplicates", item="x", model="''", files="''") | indent(16) }}
{% endif %}
            else coalesce(list_position(l.items, x), 0)
        end
    ),
{% if judgements %}
{% set judged = "list_filter(l.items[:l.k], lambda x: list_contains(l.judged, x))" %}
    'judged': {{ "len(" ~ judged ~ ")" if duplicates == "count" else "coalesce(list_unique(" ~ judged ~ "), 0)" }},
{% endif %}
{% if rejections %}
    'rejected': list_transform(
        list_filter(l.judged, lambda x, j: list_position(l.judged, x) = j and not list_contains(l.truth, x)),
        lambda x: list_position(l.items, x)
    ),
{% endif %}
{% if duplicates == "count" %}
    'items': l.items,
{% endif %}
    'truth': l.truth,
    'relevance': l.relevance,
    'returned': {{ "coalesce(list_unique(l.items[:l.k]), 0)" if duplicates == "set" else "least(coalesce(len(l.items), 0), l.k)" }},
{% if whole %}
    'list_length': {{ "coalesce(list_unique(l.items), 0)" if duplicates == "set" else "coalesce(len(l.items), 0)" }},
{% endif %}
    'k': l.k
})
