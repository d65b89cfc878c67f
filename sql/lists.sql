{#
The macros over two lists that the statistics start from or call. Each is an expression of list functions with its
parameters; list_ranks checks the arguments, list_hits has the ranks of the hits, list_gains also their gains and
those of the ideal list.
#}

-- name: list_ranks
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
    'checked': recsql.list_check(l, [typeof(recommended), typeof(relevant), typeof(relevance)]),
    'k': coalesce(l.cutoff, greatest(len(l.recommended), 1)),
{%- endset %}
[{
    'recommended': try_cast(recommended as varchar[]),
    'judged': try_cast(relevant as varchar[]),
    'relevance': try_cast(relevance as double[]),
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
    'judged': list_filter(
        range(1, least(coalesce(len(l.items), 0), l.k) + 1),
        lambda r: list_contains(l.judged, l.items[r]){{ " and list_position(l.items, l.items[r]) = r" if duplicates != "count" }}
    ),
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

-- name: list_hits
{#
about = "the hits of two lists, as ranks, and the numbers of relevant and of returned items"
parameters = "recommended, relevant, k, relevance{{ ', whole := false' if whole }}"
#}
{% set window = {"all": "> 0", "k": "<= l.k", "rank": "<= r"}[truth_window] %}
recsql.list_ranks(recommended, relevant, k, relevance{{ ", whole" if whole }})
    .list_transform(lambda l: {
{% if duplicates == "count" %}
        'hits': list_filter(range(1, coalesce(len(l.items), 0) + 1), lambda r: list_position(l.truth, l.items[r]) {{ window }}),
        'items': l.items,
{% else %}
        'hits': list_filter(l.ranks, lambda r: r > 0),
{% endif %}
{% if judgements %}
        'judged': l.judged,
{% endif %}
{% if rejections %}
        'rejected': l.rejected,
{% endif %}
        'relevant': list_count(l.ranks),
        'returned': l.returned,
{% if whole %}
        'list_length': l.list_length,
{% endif %}
        'k': l.k
    })

-- name: list_gains
{#
about = "the hits of two lists, as ranks and gains, and the gains of the relevant items, {{ 'in the order of the truth' if in_order else 'highest first' }}"
parameters = "recommended, relevant, k, relevance{{ ', whole := false' if whole }}"
#}
{% set window = {"all": "> 0", "k": "<= l.k", "rank": "<= r"}[truth_window] %}
{% set ones = "list_transform(l.ranks, lambda r: case when r is not null then 1e0 end)" %}
{% set one = gain in ["linear", "binary", "exp2"] %}
{% set graded %}
list_transform(
    case
{% if not one %}
        when l.relevance is null then {{ ones }}
{% endif %}
        when list_count(l.ranks) = list_count(l.truth) then l.relevance
        else list_transform(l.truth, lambda x: list_max(list_filter(l.relevance, lambda y, i: l.truth[i] = x)))
    end,
    lambda y, j: case when l.ranks[j] is not null then recsql.list_gain({{ gain_of("y", "l.truth[j]") | indent }}, l.truth[j]) end
)
{%- endset %}
recsql.list_ranks(recommended, relevant, k, relevance{{ ", whole" if whole }})
    .list_transform(lambda l: {
{% if gain == "binary" %}
        'gains': {{ ones }},
{% elif one %}
        'gains': case
            when l.relevance is null then {{ ones }}
            else {{ graded | indent(12) }}
        end,
{% else %}
        'gains': {{ graded | indent(8) }},
{% endif %}
{% if gain != "binary" and not in_order %}
        'graded': l.relevance is not null,
{% endif %}
{% if duplicates == "count" %}
        'items': l.items,
        'truth': l.truth,
{% endif %}
        'ranks': l.ranks,
        'returned': l.returned,
        'k': l.k
    })
    .list_transform(lambda l: {
{% if duplicates == "count" %}
        'hits': list_transform(
            list_filter(range(1, coalesce(len(l.items), 0) + 1), lambda r: list_position(l.truth, l.items[r]) {{ window }}),
            lambda r: {'rank': r, 'gain': l.gains[list_position(l.truth, l.items[r])]}
        ),
{% else %}
        'hits': list_filter(list_transform(l.ranks, lambda r, j: {'rank': r, 'gain': l.gains[j]}), lambda h: h.rank > 0),
{% endif %}
{% if in_order %}
        'gains': l.gains,
{% elif gain == "binary" %}
        'gains': list_filter(l.gains, lambda g: g is not null),
{% else %}
        'gains': case
            when l.graded then list_sort(list_filter(l.gains, lambda g: g is not null), 'DESC')
            else list_filter(l.gains, lambda g: g is not null)
        end,
{% endif %}
        'relevant': list_count(l.ranks),
        'returned': l.returned,
        'k': l.k
    })

-- name: list_check
{#
about = "an error in words for two lists that can't be measured, else NULL"
parameters = "l, kinds"
#}
{% set types = {"in_left": "regexp_replace(kinds[1], '.\\d*.$', '')", "in_right": "regexp_replace(kinds[2], '.\\d*.$', '')"} %}
{% set same = "^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$" %}
case
    when len(list_filter(kinds, lambda x: x not like '%]' and x <> '"NULL"')) > 0
        then {{ refusal("recommended is {left}, relevant {right} and relevance {third}; give LISTs", left="kinds[1]", right="kinds[2]", third="kinds[3]") | indent(8) }}
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

-- name: list_cutoff
{#
about = "the number of a cut-off, given as text; NULL for the whole list"
parameters = "k"
#}
case
    when k is null or lower(k) = 'all' then null
    when try_cast(k as double) between 1 and {{ most_k }} and try_cast(k as double) = floor(try_cast(k as double))
        then cast(try_cast(k as double) as bigint)
    else {{ refusal("cutoffs", found="coalesce(nullif(k, ''), 'none')") | indent }}
end

-- name: list_gain
{#
about = "a gain, or an error if it is below 0, or too large or too small to be added up exactly"
parameters = "gain, item"
#}
case
    when gain = 0 or (gain >= 1e-6 and gain < 1e9) then gain
    else {{ refusal("gains_out_of_range", item="item", gain="gain") | indent }}
end

-- name: list_relevance
{#
about = "a relevance, or an error if it is not a number"
parameters = "relevance, item"
#}
case when isfinite(relevance) then relevance else {{ refusal("relevance", relevance="relevance", item="item") }} end

-- name: list_total
{#
about = "the sum of doubles in units of 1e-18, so that it doesn't depend on their order"
parameters = "xs"
#}
coalesce(list_sum(list_transform(xs, lambda x: try_cast(1e18 * x as hugeint))) / 1e18, 0e0)
