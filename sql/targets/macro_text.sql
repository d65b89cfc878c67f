{# The text that a macro over tables runs. Each link of the chain adds fields to the struct `d` of a call. #}
{% macro option_of(option) %}
{% if option.values and option.type == "table" %}
case when lower({{ option.name }}) in ({{ option.choices | map("sql_literal") | join(", ") }}) then lower({{ option.name }}) when {{ option.name }} is not null then 'table' end
{%- elif option.type == "table" %}
case when {{ option.name }} is not null then 'table' end
{%- elif option.type in ("number", "integer") %}
recsql.number({{ option.name }})
{%- elif option.type == "map" %}
recsql.pairs({{ option.name }})
{%- elif option.values %}
lower(cast({{ option.name }} as varchar))
{%- else %}
cast({{ option.name }} as varchar)
{%- endif %}
{% endmacro %}
{% macro indented_list(values) %}[{{ values | map("sql_literal") | join(", ") }}]{% endmacro %}
flatten(
    [{
{% for role, parameter in one.tables.items() %}
        'source_{{ role }}': recsql.content(recsql.relation({{ parameter }})),
        'name_{{ role }}': recsql.content({{ parameter }}),
{% endfor %}
{% if one.k %}
        'ks': {{ "recsql.ks(k)" if one.several else "[recsql.cutoff(cast(k as varchar))]" }},
{% endif %}
        'like': lower(cast("like" as varchar)),
{% if one.grain %}
        'names': recsql.metric_names(),
        'known': {{ known }},
{% endif %}
        'given': {
{% for option in options %}
            '{{ option.name }}': {{ option_of(option) }}{{ "," if not loop.last }}
{% endfor %}
        }
    }]
    .list_transform(lambda d: struct_insert(
        d,
        usual := {
{% for name, text in usual_values.items() %}
            '{{ name }}': {{ text }},
{% endfor %}
            'like': d['like']
        },
        usual_apart := {
{% for name, text in usual_apart.items() %}
            '{{ name }}': {{ text }},
{% endfor %}
            'like': d['like']
        }
    ))
{% if one.grain %}
    .list_transform(lambda d: struct_insert(d, available := {{ available | indent(8) }}))
    .list_transform(lambda d: struct_insert(d, asked := recsql.asked(metrics, {{ usual }}, d['available'], d['like'], d['names'])))
{% endif %}
    .list_transform(lambda d: struct_insert(
        d,
        fault := {{ fault | indent(8) }}{% if one.grain %},
        metrics := recsql.grouped(d['asked'], {{ "d['ks']" if one.k else "cast([] as bigint[])" }}),
        apart := {{ apart | indent(8) }}{% endif %}

    ))
{% if one.grain %}
    .list_transform(lambda d: list_transform(
        list_filter(
            case when list_contains(d['apart'], d['metrics'][1]['metric']) then [true, false] else [false, true] end,
            lambda a: len(d['metrics']) = 0 and not a or len(list_filter(d['metrics'], lambda m: list_contains(d['apart'], m['metric']) = a)) > 0
        ),
        lambda a: struct_insert(
            d,
            is_apart := a,
            several := len(list_distinct(list_transform(d['metrics'], lambda m: list_contains(d['apart'], m['metric'])))) > 1
        )
    ))
{% else %}
    .list_transform(lambda d: [struct_insert(d, is_apart := false)])
{% endif %}
)
.list_transform(lambda d: struct_insert(
    d,
{% for option in options if not option.is_own %}
    {{ option.name }} := {{ chosen[option.name] }},
{% endfor %}
    prefers_score := {{ prefers_score }}
))
{% if one.grain %}
.list_transform(lambda d: struct_insert(
    d,
    of_pipeline := {{ of_pipeline | indent }}
))
.list_transform(lambda d: struct_insert(d, wanted := {{ wanted | indent }}))
.list_transform(lambda d: struct_insert(
    d,
    described := list_transform(d['wanted'], lambda m: struct_insert(
        m,
{% for option in options if option.is_own %}
        {{ option.name }} := {{ chosen[option.name] }},
{% endfor %}
        differing := [
            {{ labels | join(",\n") | indent(12) }}
        ]
    ))
))
.list_transform(lambda d: struct_insert(
    d,
    said := list_transform(
        d['described'],
        lambda m: struct_insert(m, name_with_options := recsql.label(m['metric'], d['like'], m['differing']))
    )
))
.list_transform(lambda d: struct_insert(
    d,
    measures := list_transform(
        d['said'],
        lambda m: struct_insert(m, label := '''' || recsql.content(m['name_with_options']) || '''')
    )
))
.list_transform(lambda d: struct_insert(
    d,
{% if one.k %}
    fault_of_whole := list_transform(
        list_filter(d['measures'], lambda c: c['named'] and list_contains(c['ks'], {{ whole }}) and ({{ needs_cutoff }})),
        lambda c: {{ whole_sentence }}
    )[1],
    columns := list_transform(
        list_filter(
            list_transform(d['measures'], lambda c: struct_insert(
                c,
                at := list_filter(c['ks'], lambda x: x < {{ whole }} or not ({{ needs_cutoff }}))
            )),
            lambda c: len(c['at']) > 0
        ),
        lambda c, i: struct_insert(c, place := i, ks_text := array_to_string(c['at'], ', '))
    )
{% else %}
    fault_of_whole := cast(null as varchar),
    columns := list_transform(d['measures'], lambda c, i: struct_insert(c, at := c['ks'], place := i, ks_text := ''))
{% endif %}
))
{% endif %}
{# From here on, only what the text reads: each further link copies all fields of the struct. #}
.list_transform(lambda d: {
    'fault': coalesce(d['fault'], {{ "d['fault_of_whole']" if one.grain else "null" }}),
{% for role in one.tables %}
    'source_{{ role }}': d['source_{{ role }}'],
    'name_{{ role }}': d['name_{{ role }}'],
{% endfor %}
{% for option in options if not option.is_own %}
    '{{ option.name }}': d['{{ option.name }}'],
{% endfor %}
{% if one.grain %}
    'several': d['several'],
    'metrics': list_transform(d['metrics'], lambda m: {'metric': m['metric']}),
    'columns': list_transform(d['columns'], lambda c: {
{% for option in options if option.is_own %}
        '{{ option.name }}': c['{{ option.name }}'],
{% endfor %}
        'metric': c['metric'],
        'name': c['name'],
        'label': c['label'],
        'shown': c['shown'],
        'place': c['place'],
        'ks_text': c['ks_text'],
        'made_of': c['made_of']
    }),
{% endif %}
{% if one.k %}
    'all_ks': list_sort(list_distinct({{ "flatten(list_transform(d['columns'], lambda c: c['at']))" if one.grain else "d['ks']" }}), 'ASC'),
{% endif %}
    'is_apart': d['is_apart'],
    'prefers_score': d['prefers_score']
})
{% if one.k %}
.list_transform(lambda d: struct_insert(
    d,
    cutoffs := recsql.indented(recsql.cutoffs_text(d['all_ks'])),
    depth := d['all_ks'][-1],
    deepest := coalesce(list_max(list_filter(d['all_ks'], lambda x: x < {{ whole }})), 0),
    uncut := list_contains(d['all_ks'], {{ whole }})
))
{% endif %}
{% if needed %}
.list_transform(lambda d: struct_insert(
    d,
{% for name, text in needed.items() %}
    {{ name }} := {{ text }}{{ "," if not loop.last }}
{% endfor %}
))
{% endif %}
{% if decided %}
.list_transform(lambda d: struct_insert(
    d,
{% for name, text in decided.items() %}
    {{ name }} := {{ text }}{{ "," if not loop.last }}
{% endfor %}
))
{% endif %}
{% if present %}
.list_transform(lambda d: struct_insert(
    d,
{% for name, text in present.items() %}
    {{ name }} := {{ text }}{{ "," if not loop.last }}
{% endfor %}
))
{% endif %}
{% if natural %}
.list_transform(lambda d: struct_insert(
    d,
    measured := list_transform(d['columns'], lambda c: struct_insert(c, natural := recsql.indented(recsql.indented({{ natural }}))))
))
{% endif %}
.list_transform(lambda d: {
    'd': d,
    'text': case
        when d['fault'] is not null then error(d['fault'])
        else concat(
            {{ texts | join(",\n            ") }}
        )
    end
})
