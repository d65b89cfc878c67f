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
