{# DuckDB's syntax for expressions that differ between engines. Every body except the sums is a single call or is in brackets. #}
{% macro inline() %}not materialized {% endmacro %}
{% macro text_type() %}varchar{% endmacro %}
{% macro text(x) %}cast({{ x }} as {{ sql.text_type() }}){% endmacro %}
{# A value in a sentence; an empty id is shown as ''. #}
{% macro spoken(x, is_id=false) %}coalesce({{ sql.said(x) if is_id else sql.text(x) }}, 'NULL'){% endmacro %}
{# An id in a sentence. An empty id is shown as ''. #}
{% macro said(x) %}regexp_replace({{ sql.text(x) }}, '^$', ''''''){% endmacro %}
{% macro quote(name) %}{{ name | quoted_name }}{% endmacro %}
{% macro literal(x) %}{{ x | sql_literal }}{% endmacro %}
{% macro error(x) %}error({{ x }}){% endmacro %}
{% macro likeness(x, y) %}jaro_winkler_similarity(lower({{ x }}), lower({{ y }})){% endmacro %}
{% macro nearest(x, names) %}coalesce('did you mean ' || list_max(list_transform(list_filter({{ names }}, lambda n: {{ likeness("n", x) }} > 7e-1), lambda n: {'likeness': {{ likeness("n", x) }}, 'name': n}))['name'] || '? ', ''){% endmacro %}
{% macro listing(list) %}array_to_string({{ list }}, ', '){% endmacro %}
{% macro of_first(x, place) %}min_by({{ x }}, {{ place }}){% endmacro %}
{# Sums of integers in units of 1e-18, which do not depend on the order of the rows. `any_sum` uses fsum for values beyond 1e9 or with a tiny mean. #}
{% macro units(x) %}1e18 * {{ "(" ~ x ~ ")" if " " in x else x }}{% endmacro %}
{% macro in_units(x) %}try_cast({{ units(x) }} as hugeint){% endmacro %}
{% macro exact_sum(x, times="") %}sum({{ times ~ " * " if times }}{{ sql.in_units(x) }}) / 1e18{% endmacro %}
{% macro mean(x) %}{{ sql.exact_sum(x) }} / nullif(count({{ x }}), 0){% endmacro %}
{% macro exact_units(x, times="") %}cast(sum({{ times ~ " * " if times }}{{ sql.in_units(x) }}) as decimal(38, 0)){% endmacro %}
{% macro of_units(x) %}cast({{ x }} as hugeint) / 1e18{% endmacro %}
{% macro near_sum(x) %}fsum({{ x }}){% endmacro %}
{% macro any_sum(x) %}case when max(abs({{ x }})) < 1e9 and avg(abs({{ x }})) > 1e-6 then {{ sql.exact_sum("case when abs(" ~ x ~ ") < 1e9 then " ~ x ~ " end") }} else {{ sql.near_sum(x) }} end{% endmacro %}
{# The sum of squares, in coarser units if a value is beyond 3e4. #}
{% macro square_sum(x, times="") %}case
    when max(abs({{ x }})) < 3e4 then {{ sql.exact_sum("case when abs(" ~ x ~ ") < 3e4 then " ~ x ~ " * " ~ x ~ " end", times) }}
    else {{ sql.exact_sum("1e-9 * " ~ x ~ " * 1e-9 * " ~ x, times) }} * 1e18
end{% endmacro %}
{# A number from 0 to 2^32 - 1: the first 32 bits of a hash that all engines have. #}
{% macro draw(x) %}cast('0x' || substr(md5({{ x }}), 1, 8) as bigint){% endmacro %}
{# One of `n` groups, from the first 32 bits of a hash that all engines have: the same number for the same text. #}
{% macro group_of(x, n) %}{{ sql.draw(x) }} * {{ n }} >> 32{% endmacro %}
{# The place of one bit of 64, the same for equal ids of one type. `n` = 1 and `n` = 2 are independent. #}
{% macro place_of_bit(x, n) %}hash({{ x }}) {{ "& 63" if n == 1 else ">> 58" }}{% endmacro %}
{% macro bit(x, n) %}cast(1 as ubigint) << ({{ place_of_bit(x, n) }}){% endmacro %}
{# A text without the white space around it: spaces, tabs, ends of lines, and spaces that do not break. #}
{% macro stripped(x) %}trim(translate({{ x }}, chr(173) || chr(8203) || chr(8204) || chr(8205) || chr(8288) || chr(65279), ''), ' ' || chr(9) || chr(10) || chr(13) || chr(160)){% endmacro %}
{% macro unquoted(x) %}trim({{ x }}, '"''`'){% endmacro %}
{# A text in Unicode's composed form; nothing if the engine has no such function. #}
{% macro composed(x) %}nfc_normalize({{ x }}){% endmacro %}
{# A hash of several values, the same for equal values of the same types. #}
{% macro hash_of(values) %}hash({{ values }}){% endmacro %}
{# The bit of a whole number. Numbers that are 64 apart share a bit, so a band is 64 consecutive numbers. #}
{% macro bit_of(n) %}cast(1 as ubigint) << cast({{ n }} & 63 as ubigint){% endmacro %}
{% macro band_of(n) %}{{ n }} >> 6{% endmacro %}
{% macro bit_count(bits) %}bit_count({{ bits }}){% endmacro %}
{% macro has_bit(bits, x, n) %}({{ bits }} >> ({{ place_of_bit(x, n) }})) & 1 = 1{% endmacro %}
{# A hash that differs between queries. Input can be constructed so that sums of a plain hash collide. #}
{% macro salted_hash(x) %}hash(xor(hash({{ x }}), hash(now()))){% endmacro %}
{# A hash of the values of a group, independent of their order. Two groups with different values collide with probability 2^-64. #}
{% macro profile(x) %}sum({{ sql.salted_hash(x) }}){% endmacro %}
{# The same value. DuckDB 2.0 narrows an integer group key, and then hashes each row instead of each entry of Parquet's dictionary. #}
{% macro not_narrowed(x) %}case when {{ x }} is not null then {{ x }} end{% endmacro %}
{# count(distinct) would group by the other keys and x, which takes twice as long. #}
{% macro distinct(x) %}list_unique(list({{ x }})){% endmacro %}
{% macro running_product(x, window) %}product({{ x }}) over {{ window }}{% endmacro %}
{# If Parquet's min and max are not NaN, as other writers store them, DuckDB 2.0 assumes that no value is NaN. random() prevents that. #}
{% macro is_nan(x) %}isnan({{ x }} + 0 * random()){% endmacro %}
{% macro is_infinite(x) %}isinf({{ x }}){% endmacro %}
{% macro type_of(x) %}typeof({{ x }}){% endmacro %}
{# Whether engines cast such a value to different texts: 1e7 is 10000000.0, 1.0E7 or 10000000. #}
{% macro is_written_differently(x) %}regexp_matches({{ type_of(x) }}, '^(FLOAT|DOUBLE|BLOB|STRUCT|MAP|UNION)|ZONE$|]$'){% endmacro %}
{# A time with a time zone, as the time in UTC. #}
{% macro in_utc(x) %}make_timestamp(epoch_us({{ x }})){% endmacro %}
{# A range of a document as one value: the id of a span. #}
{% macro span(document, start, end) %}struct_pack(document := {{ document }}, start := {{ start }}, "end" := {{ end }}){% endmacro %}
{# Positions as people read them: the last one is not included. #}
{% macro positions(start, stop) %}'[' || {{ sql.text(start) }} || ', ' || {{ sql.text(stop) }} || ')'{% endmacro %}
{# All columns of a row but one. #}
{% macro without(row, column) %}{{ row }}.* exclude ({{ column }}){% endmacro %}
{# A time without a zone, in UTC; `kind` is its type, empty if it is unknown. #}
{% macro utc(x, kind="") %}{% if kind == "TIMESTAMP" %}{{ x }}{% elif kind and not kind.endswith("ZONE") %}cast({{ x }} as timestamp){% else %}make_timestamp(epoch_us({{ x }})){% endif %}{% endmacro %}
{% macro time(x) %}cast({{ x }} as timestamp){% endmacro %}
{# The last row of `shown` for the user and the item of a row of `events`, up to a time; and the first one after a time. #}
{% macro last_before(events, shown, time) %}{{ events }} as e
asof left join {{ shown }} as s
    on s.user_id = e.user_id and s.item_id = e.item_id and s.ts <= {{ time }}{% endmacro %}
{% macro first_after(events, shown, time) %}{{ events }} as e
asof left join {{ shown }} as s
    on s.user_id = e.user_id and s.item_id = e.item_id and s.ts > {{ time }}{% endmacro %}
{# The same without ASOF: events and shown rows in one order, in which each event finds the shown row before it. #}
{% macro beside(events, shown, time, nearest, order) %}(
    select p.user_id, p.item_id, p.ts, p.type, p.nearest
    from (
        select
            u.*,
            {{ nearest }}(u.shown) over (
                partition by u.user_id, u.item_id
                order by u.place {{ order }}, u.is_event {{ order }}
                rows between unbounded preceding and current row
            ) as nearest
        from (
            select e.user_id, e.item_id, e.ts, e.type, 1 as is_event, {{ time }} as place, {{ sql.time("null") }} as shown
            from {{ events }} as e
            union all
            select s.user_id, s.item_id, s.ts, {{ sql.text("null") }} as type, 0 as is_event, s.ts as place, s.ts as shown
            from {{ shown }} as s
        ) as u
    ) as p
    where p.is_event = 1
) as e
left join {{ shown }} as s
    on s.user_id = e.user_id and s.item_id = e.item_id and s.ts = e.nearest{% endmacro %}
{# The whole numbers of a range, a row each. #}
{% macro series(first, last) %}unnest(range({{ first }}, {{ last }} + 1)){% endmacro %}
{% macro whole_numbers(first, last) %}(select unnest(range({{ first }}, {{ last }} + 1)) as i){% endmacro %}

{# The input: files, LIST columns, several categories per item. `lists` maps each LIST column to the name of an element. #}
{# Without union_by_name, DuckDB casts all files to the columns and types of the first. #}
{% macro files(paths) %}{% if paths | length == 1 %}{{ paths[0] | sql_literal }}{% else %}[{{ paths | map("sql_literal") | join(", ") }}]{% endif %}{% endmacro %}
{% macro united(paths) %}{{ ", union_by_name = true" if paths | length > 1 or paths[0] | select("in", "*?[") | list }}{% endmacro %}
{% macro parquet(paths) %}read_parquet({{ files(paths) }}{{ united(paths) }}){% endmacro %}
{# The first line is the header. No line is a comment. #}
{% macro csv(paths, types, more="") %}read_csv({{ files(paths) }}, header = true, skip = 0, comment = ''{{ united(paths) }}{{ ", types = " ~ struct(types) if types }}{{ more }}){% endmacro %}
{# The whole file is sampled for columns and types, because an object may lack the keys of later ones. #}
{% macro json(paths, types, more="") %}read_json({{ files(paths) }}{{ united(paths) }}, {{ "columns = " ~ struct(types) if types else "sample_size = -1, maximum_sample_files = 2147483647" }}){% endmacro %}
{# The columns of objects with hundreds of keys, which DuckDB takes for a map. #}
{% macro wide_json(paths) %}read_json({{ files(paths) }}{{ united(paths) }}, sample_size = -1, map_inference_threshold = -1){% endmacro %}
{# One object per file, whose keys are the users. What a user has is an object of items to numbers, or a list, best first: of ids, of pairs of an id and a number, or of what retrievers return. Or an object of models to such objects. A file is one value, for which DuckDB reserves memory. #}
{% macro object(paths, name, kind) %}read_json({{ files(paths) }}, columns = {'{{ name }}': '{{ kind }}'}, format = 'unstructured', records = false, maximum_object_size = {{ paths | largest }}){% endmacro %}
{% macro entries(map, key, value, rows, others="") %}(select {{ others }}unnest(map_keys(f.{{ map }})) as {{ key }}, unnest(map_values(f.{{ map }})) as {{ value }} from {{ rows }} as f){% endmacro %}
{% macro found_in(json, names) %}coalesce({% for name in names %}{{ json }} ->> '$.{{ name }}'{{ ", " if not loop.last }}{% endfor %}){% endmacro %}
{% macro id_in(json) %}case json_type({{ json }}) when 'OBJECT' then {{ found_in(json, ["metadata.id", "meta.id", "id", "_id", "node_id", "item_id"]) }} when 'VARCHAR' then {{ json }} ->> '$' when 'BIGINT' then {{ json }} ->> '$' when 'UBIGINT' then {{ json }} ->> '$' end{% endmacro %}
{% macro entry(item, number, place) %}{'item': {{ item }}, 'number': cast({{ number }} as double), 'place': cast({{ place }} as bigint)}{% endmacro %}
{% macro entries_of(numbers) %}case json_type(f.items)
        when 'OBJECT' then list_transform(map_entries(cast(f.items as map(varchar, double))), lambda e: {{ entry("e.key", "e.value", "null") }})
        when 'ARRAY' then list_transform(cast(f.items as json[]), lambda e, i: {{ entry("case json_type(e) when 'ARRAY' then case json_array_length(e) when 2 then " ~ id_in("(e -> '$[0]')") ~ " end else " ~ id_in("e") ~ " end", "coalesce(e ->> '$[1]', " ~ found_in("e", numbers) ~ ")", "i") }})
        else [{{ entry("f.items ->> '$'", "null", "1") }}]
    end{% endmacro %}
{# Of rank and score only what a file has, as soon as its columns are known. #}
{% macro scored(rows, types, others="") %}(
    select {{ others }}f.user_id, f.entry.item as item_id{{ ", f.entry.place as rank" if "rank" in types or not types }}{{ ", f.entry.number as score" if "score" in types or not types }}
    from (select f.*, unnest({{ entries_of(["score", "_score"]) }}) as entry from {{ rows }} as f) as f
){% endmacro %}
{% macro users_in(paths) %}{{ entries("users", "user_id", "items", object(paths, "users", "map(varchar, json)")) }}{% endmacro %}
{% macro nested_score(paths, types, more="") %}{{ scored(users_in(paths), types) }}{% endmacro %}
{% macro nested_models(paths, types, more="") %}{{ scored(entries("users", "user_id", "items", entries("models", "model", "users", object(paths, "models", "map(varchar, map(varchar, json))")), "f.model, "), types, "f.model, ") }}{% endmacro %}
{# A user without items has one that is not relevant: the question was asked. #}
{% macro nested_relevance(paths, types, more="") %}(
    select f.user_id, f.entry.item as item_id, coalesce(f.entry.number, case when f.entry.place > 0 then 1e0 end) as relevance
    from (
        select f.user_id, unnest(coalesce(nullif({{ entries_of(["relevance", "score"]) }}, []), [{{ entry("'-9223372036854775808'", "0", "null") }}])) as entry
        from {{ users_in(paths) }} as f
    ) as f
){% endmacro %}
{% macro struct(values) %}{ {%- for key, value in values.items() %}{{ key | sql_literal }}: {{ value | sql_literal }}{{ ", " if not loop.last }}{% endfor -%} }{% endmacro %}
{# Ids that are read as text, cast to their type in the other tables. #}
{% macro with_ids(rows, types, name) %}(select f.* replace ({% for column, type in types.items() %}{{ sql.id_of("f." ~ column | quoted_name, type, name ~ ": " ~ column ~ " is ") }} as {{ column | quoted_name }}{{ ", " if not loop.last }}{% endfor %}) from {{ rows }} as f){% endmacro %}
{% macro id_of(x, type, before) %}{% if type.endswith("[]") %}list_transform({{ x }}, lambda e: {{ id_of("e", type[:-2], before) }}){% else %}coalesce({{ sql.read_as(x, type) }}, case when {{ x }} is not null then error({{ before | sql_literal }} || {{ x }} || {{ (", which can't be read as " ~ type) | sql_literal }}) end){% endif %}{% endmacro %}
{# Text cast to a type, NULL if that fails or if the value is written otherwise, as 3.1 for 3.10. A plain cast would turn 1.5 into 2. #}
{% macro read_as(x, type) %}{% if type.endswith("INT") or type == "INTEGER" %}case when {{ sql.is_whole(x) }} then try_cast({{ x }} as {{ type }}) end{% elif type.startswith(("DOUBLE", "FLOAT", "DECIMAL")) %}case when {{ sql.is_whole(x) }} or trim({{ x }}) = cast(try_cast({{ x }} as {{ type }}) as varchar) then try_cast({{ x }} as {{ type }}) end{% else %}try_cast({{ x }} as {{ type }}){% endif %}{% endmacro %}
{% macro is_whole(x) %}regexp_full_match({{ x }}, '\s*[+-]?\d+(\.0*)?\s*'){% endmacro %}
{# LIST columns that are read must be as long as `items`, else an id is NULL, which the checks find. The others are cut to that length. #}
{% macro long_rows(relation, others, lists, items, read) %}(select {% for name in others %}l.{{ name | quoted_name }}, {% endfor %}{% for name, element in lists.items() %}unnest(l.{{ name | quoted_name }}{{ "[:len(l." ~ (items | quoted_name) ~ ")]" if name != items and name not in read and element not in read }}) as {{ element | quoted_name }}, {% endfor %}generate_subscripts(l.{{ items | quoted_name }}, 1) as rank from {{ relation }} as l){% endmacro %}
{% macro pieces(x, separator) %}unnest(list_transform(string_split({{ sql.text(x) }}, {{ separator }}), lambda e: trim(e))){% endmacro %}
{% macro elements(list) %}unnest(case when len({{ list }}) > 0 then {{ list }} else [null] end){% endmacro %}

{# One LIST per user: the items as rows, the reversed LIST, the first position of an item, and all positions as rows. #}
{% macro items_of(list) %}unnest({{ list }}) as item_id, generate_subscripts({{ list }}, 1) as rank{% endmacro %}
{# The numbers of a LIST as rows, with their places. #}
{% macro components(list) %}unnest({{ list }}) as value, generate_subscripts({{ list }}, 1) as place{% endmacro %}
{% macro turned(list) %}list_reverse({{ list }}){% endmacro %}
{% macro place_in(list, x) %}list_position({{ list }}, {{ x }}){% endmacro %}
{% macro places_of(x, list, first, back) %}unnest(case when {{ first }} + {{ back }} = len({{ list }}) + 1 then [cast({{ first }} as bigint)] else list_filter(range({{ first }}, len({{ list }}) + 2 - {{ back }}), lambda i: {{ list }}[i] = {{ x }}) end){% endmacro %}

{# Lists: `x` is an expression over the variable `e`. #}
{% macro sorted_down(x, where="") %}list({{ x }} order by {{ x }} desc){{ " filter (where " ~ where ~ ")" if where }}{% endmacro %}
{# The n highest or lowest values, in order; whether the values at place k and at the next one are equal. #}
{% macro best(x, n, order) %}{{ "max" if order == "desc" else "min" }}({{ x }}, {{ n }}){% endmacro %}
{% macro tied_at(list, k) %}{{ list }}[{{ k }}] = {{ list }}[{{ k + 1 }}]{% endmacro %}
{% macro first(list, n) %}list_slice({{ list }}, 1, {{ n }}){% endmacro %}
{% macro filtered(list, e, x) %}list_filter({{ list }}, lambda {{ e }}: {{ x }}){% endmacro %}
{% macro mapped(list, e, x) %}list_transform({{ list }}, lambda {{ e }}: {{ x }}){% endmacro %}
{% macro ordered_list(x, by) %}list({{ x }} order by {{ by }} asc){% endmacro %}
{# The texts of a group in one, sorted, with commas between them; NULL if there are none. #}
{% macro sorted_texts(x) %}string_agg({{ x }}, ', ' order by {{ x }} asc){% endmacro %}
{% macro nth(list, n) %}{{ list }}[{{ n }}]{% endmacro %}
{% macro highest(list) %}list_max({{ list }}){% endmacro %}
{% macro length(list) %}len({{ list }}){% endmacro %}
{% macro total(list) %}list_sum({{ list }}){% endmacro %}
{# A recursion over the whole numbers from `last` down to 1: `f`, 1 at first, becomes `x`, an expression over `f` and the number `m`. #}
{% macro fold(f, m, last, x) %}list_reduce(
    list_prepend(1e0, list_transform(range({{ last }}, 0, -1), lambda i: cast(i as double))),
    lambda {{ f }}, {{ m }}: {{ x }}
){% endmacro %}
{# A polynomial of `x` by Horner's rule; the coefficient of the highest power is the first. #}
{% macro polynomial(x, coefficients) %}list_reduce(
    [
        {{ coefficients[:4] | join(", ") }},
        {{ coefficients[4:] | join(", ") }}
    ],
    lambda f, c: f * {{ x }} + c
){% endmacro %}
{# Sizes with the number of users who have each, the largest first; the product of the cosines of these sizes times `turn`. #}
{% macro sizes_down(size, users, where) %}list({'size': {{ size }}, 'users': {{ users }}} order by {{ size }} desc) filter (where {{ where }}){% endmacro %}
{% macro cosines(list, turn) %}list_product(list_transform({{ list }}, lambda e: power(cos(e.size * {{ turn }}), e.users))){% endmacro %}
{# Readers of a list g who stop at an item with a chance: steps that are joined are the mean of 1 / rank so far, and the share that goes on. #}
{% macro mean_stop(list, chance) %}case when len({{ list }}) > 0 then list_reduce(list_transform({{ list }}, lambda g, i: {'stop': {{ chance }} / i, 'on': 1 - {{ chance }}}), lambda a, b: {'stop': a.stop + a.on * b.stop, 'on': a.on * b.on}).stop end{% endmacro %}
{# The gains of a list, each with the discount of its place, in units of 1e-18; and the sum of such a list. #}
{% macro discounted(list, discount) %}[{{ sql.in_units("g * " ~ discount("r")) }} for g, r in {{ list }}]{% endmacro %}
{% macro total_units(list) %}list_sum({{ list }}) / 1e18{% endmacro %}
{% macro ranked_gains(rank, gain) %}list({'rank': {{ rank }}, 'gain': {{ gain }}} order by {{ gain }} desc, {{ rank }} asc){% endmacro %}
