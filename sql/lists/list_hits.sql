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
