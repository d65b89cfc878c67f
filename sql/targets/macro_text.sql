{#
The macros that write a query. A query under way is a struct `d`; each link of a chain adds fields to it.

What a lambda reads should be a field of `d`: DuckDB computes an expression in a lambda anew for each entry.
#}
-- stubs, replaced further down: DuckDB expands a macro whenever it creates another one that calls it, unless a type is not known yet
{% for call, value in stubs.items() %}
create or replace macro recsql.{{ call }} as {{ value }};
{% endfor %}

{{ macros | join("\n\n") }}

-- the queries of a call, each with its text
create or replace macro recsql.texts_of(program, sources, ks, metrics, as_given, slices) as
    flatten(
{% for step in ["call", "metrics", "split"] %}
{% filter indent(8, first=true) %}{% include "targets/query_text/" ~ step ~ ".sql" %}{% endfilter %}

{% endfor %}
    )
{% for step in ["query", "columns", "facts", "text"] %}
{% filter indent(4, first=true) %}{% include "targets/query_text/" ~ step ~ ".sql" %}{% endfilter %}

{% endfor %}
;

-- the sentence for the first thing in a call that can't be computed, else NULL
create or replace macro recsql.fault_of(d) as
    coalesce(
        list_filter(
            list_transform(
                d['options'],
                lambda o, i: case d['kinds'][i]
                    when 'choice' then recsql.wrong_value(regexp_replace(o, '^([.]|.*__)', ''), string_split(d['values'][i], ' '), d['given'][i])
                    when 'number' then recsql.wrong_number(regexp_replace(o, '^([.]|.*__)', ''), string_split(d['values'][i], ' '), d['as_given'][i])
                    else recsql.wrong_text(d['kinds'][i], o, d['given'][i])
                end
            ),
            lambda x: x is not null
        )[1],
        list_filter(
            list_transform(
                d['p']['required'],
                lambda x, i: case when d['sources'][i] is null then x || ': NULL is not a table; give the name of a table or a file' end
            ),
            lambda x: x is not null
        )[1],
        d['slices']['fault'],
        recsql.under(d['p']['idle'], d['known'])[1],
        case
            when len(d['p']['metrics']) > 0 then coalesce(
                recsql.unknown_metric(d['asked'], d['p']['metrics']),
                case when len(d['asked']) = 0 then {{ no_metrics }} end
            )
        end,
        recsql.under(d['p']['refused'], d['known_of_metrics'])[1]
    );

-- a metric as written, as its name and cut-off: name, name@k, or name_k as trec_eval prints it
create or replace macro recsql.parsed(texts, preset, names) as
    list_transform(
        list_transform(texts, lambda x: {'text': x['text'], 'named': x['named'], 'alias': replace(lower(regexp_replace(x['text'], '@.*$', '')), '-', '_')}),
        lambda x: {
            'text': x['text'],
            'named': x['named'],
            'metric': coalesce(
                names[preset || ' ' || x['alias']],
                names[x['alias']],
                names[preset || ' ' || regexp_extract(x['alias'], '^(.*)_[0-9]+$', 1)],
                names[regexp_extract(x['alias'], '^(.*)_[0-9]+$', 1)],
                x['text']
            ),
            'at': case
                when contains(x['text'], '@') then regexp_extract(x['text'], '@(.*)$', 1)
                when coalesce(names[preset || ' ' || x['alias']], names[x['alias']]) is null and regexp_matches(x['alias'], '_[0-9]+$')
                    then regexp_extract(x['alias'], '_([0-9]+)$', 1)
            end
        }
    );

-- of some facts such as 'option>0', those that hold
create or replace macro recsql.above(facts, options, vals) as
    list_filter(
        facts,
        lambda x: cast(vals[list_position(options, string_split(x, '>')[1])] as double) > cast(string_split(x, '>')[2] as double)
    );

-- the values of options: those given, or else the usual ones; by a preset, rank_by is only preferred
create or replace macro recsql.chosen(options, given, usual) as
    list_transform(options, lambda o, i: coalesce(given[i], case when o <> 'rank_by' then usual[i] end));

-- what the values of options say, as facts
create or replace macro recsql.facts_of(options, vals) as
    list_transform(
        options,
        lambda o, i: o || '=' || coalesce(case when o = 'rank_by' and vals[i] = 'position' then 'rank' else vals[i] end, '')
    );

-- a program as a map from the name of a section to its lines
create or replace macro recsql.lines_of(program) as
    map_from_entries(list_transform(
        list_transform(string_split(program, chr(10) || '== '), lambda x: string_split(x, ' ==' || chr(10))),
        lambda x: {'k': x[1], 'v': case when coalesce(x[2], '') = '' then [] else string_split(x[2], chr(10)) end}
    ));

-- a text of sections '== name ==' as a map
create or replace macro recsql.sections(text) as
    map_from_entries(list_transform(
        list_transform(string_split(text, chr(10) || '== '), lambda x: string_split(x, ' ==' || chr(10))),
        lambda x: {'k': x[1], 'v': coalesce(x[2], '')}
    ));

-- some facts, and those that rules add to them
create or replace macro recsql.with_rules(facts, rules) as
    list_concat(facts, recsql.under(rules, facts));

-- the same for a text that repeats what stands between {{ open }}each{{ close }} and {{ open }}/each{{ close }} for each of some columns
create or replace macro recsql.filled(text, facts, vals, columns) as
    list_aggregate(
        list_transform(
            string_split(replace(text, '{{ open }}/each{{ close }}', '{{ open }}each{{ close }}'), '{{ open }}each{{ close }}'),
            lambda x, i: case
                when i % 2 = 1 then recsql.parts(x, facts, vals)
                else list_aggregate(list_transform(columns, lambda c: recsql.parts(x, c['facts'], c['vals'])), 'string_agg', '')
            end
        ),
        'string_agg',
        ''
    );

-- the parts of a text whose mark holds; a mark is {{ open }}condition{{ close }}, or {{ open }}condition: name{{ close }} to put in a value
create or replace macro recsql.parts(text, facts, vals) as
    coalesce(
        list_aggregate(
            list_transform(
                list_filter(
                    list_transform(string_split(text, '{{ open }}'), lambda x: string_split(x, '{{ close }}')),
                    lambda x: x[2] is not null and recsql.holds(string_split(x[1], ': ')[1], facts)
                ),
                lambda x: coalesce(vals[string_split(x[1], ': ')[2]], '') || x[2]
            ),
            'string_agg',
            ''
        ),
        ''
    );

-- the texts of the lines 'condition => text' whose condition holds
create or replace macro recsql.under(lines, facts) as
    list_transform(
        list_filter(list_transform(lines, lambda x: string_split(x, ' => ')), lambda x: recsql.holds(x[1], facts)),
        lambda x: x[2]
    );

-- whether a condition such as 'a & !b | c' holds under some facts; the empty condition always does
create or replace macro recsql.holds(condition, facts) as
    len(list_filter(
        string_split(condition, ' | '),
        lambda a: len(list_filter(string_split(a, ' & '), lambda x: list_contains(facts, ltrim(x, '!')) = starts_with(x, '!'))) = 0
    )) > 0;
