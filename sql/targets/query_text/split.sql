{# The queries of the call: metrics for which a preset has options of their own have one of their own. #}
.list_transform(lambda d: list_transform(
    list_filter(
        case when list_contains(d['apart'], d['metrics'][1]['metric']) then [true, false] else [false, true] end,
        lambda a: len(d['metrics']) = 0 and not a or len(list_filter(d['metrics'], lambda x: list_contains(d['apart'], x['metric']) = a)) > 0
    ),
    lambda a: struct_insert(d, is_apart := a)
))
