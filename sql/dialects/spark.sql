{# Syntax of Spark SQL 4.0 or newer where it differs from DuckDB's. #}
{% macro inline() %}{% endmacro %}
{% macro text_type() %}string{% endmacro %}
{% macro literal(x) %}'{{ x | replace("\\", "\\\\") | replace("'", "\\'") }}'{% endmacro %}
{% macro quote(name) %}`{{ name | replace("`", "``") }}`{% endmacro %}
{% macro parquet(paths) %}{% if paths | length == 1 %}parquet.{{ paths[0] | quoted_name }}{% else %}({% for path in paths %}select * from parquet.{{ path | quoted_name }}{{ " union all " if not loop.last }}{% endfor %}){% endif %}{% endmacro %}
{% macro long_rows(relation, others, lists, items, read) %}(select {% for name in others %}l.{{ name | quoted_name }}, {% endfor %}{% for name, element in lists.items() %}get(l.{{ name | quoted_name }}, e.place) as {{ element | quoted_name }}, {% endfor %}e.place + 1 as rank from {{ relation }} as l lateral view posexplode(l.{{ items | quoted_name }}) e as place, item){% endmacro %}
{% macro components(list) %}posexplode({{ list }}) as (place, value){% endmacro %}
{# split() takes a regular expression. #}
{% macro pieces(x, separator) %}explode(transform(split(replace({{ sql.text(x) }}, {{ separator }}, chr(31)), chr(31)), e -> trim(e))){% endmacro %}
{% macro elements(list) %}explode_outer({{ list }}){% endmacro %}
{% macro error(x) %}raise_error('recsql: ' || {{ x }}){% endmacro %}
{% macro distance(x, y) %}levenshtein(lower({{ x }}), lower({{ y }})){% endmacro %}
{% macro nearest(x, names) %}coalesce('did you mean ' || array_min(transform(filter({{ names }}, n -> {{ sql.distance("n", x) }} <= 2), n -> struct({{ sql.distance("n", x) }} as distance, n as name))).name || '? ', ''){% endmacro %}
{% macro listing(list) %}array_join({{ list }}, ', '){% endmacro %}
{# Spark's widest integer has 64 bits, so decimal(38, 0) replaces DuckDB's hugeint. If possible, it is cast from an integer:
   a cast from double takes Spark ten times as long. Division by zero is an error. #}
{% macro in_units(x) %}coalesce(cast(try_cast(rint({{ sql.units(x) }}) as bigint) as decimal(38, 0)), try_cast({{ sql.units(x) }} as decimal(38, 0))){% endmacro %}
{% macro exact_units(x, times="") %}sum({{ times ~ " * " if times }}{{ sql.in_units(x) }}){% endmacro %}
{% macro exact_sum(x, times="") %}cast({{ sql.exact_units(x, times) }} as double) / 1e18{% endmacro %}
{% macro of_units(x) %}cast({{ x }} as double) / 1e18{% endmacro %}
{% macro near_sum(x) %}sum({{ x }}){% endmacro %}
{# A number from 0 to 2^32 - 1: the first 32 bits of a hash that all engines have. #}
{% macro draw(x) %}cast(conv(substr(md5({{ x }}), 1, 8), 16, 10) as bigint){% endmacro %}
{% macro group_of(x, n) %}shiftright({{ sql.draw(x) }} * {{ n }}, 32){% endmacro %}
{# The place of one bit of 63, because the 64th bit is the sign. #}
{% macro place_of_bit(x, n) %}cast(pmod({{ "xxhash64(" ~ x ~ ")" if n == 1 else "shiftright(xxhash64(" ~ x ~ "), 32)" }}, 63) as int){% endmacro %}
{% macro stripped(x) %}btrim(translate({{ x }}, decode(unhex('C2ADE2808BE2808CE2808DE281A0EFBBBF'), 'UTF-8'), ''), ' ' || chr(9) || chr(10) || chr(13) || chr(160)){% endmacro %}
{% macro unquoted(x) %}btrim({{ x }}, '"`' || chr(39)){% endmacro %}
{% macro composed(x) %}{% endmacro %}
{% macro hash_of(values) %}xxhash64({{ values }}){% endmacro %}
{% macro bit(x, n) %}shiftleft(cast(1 as bigint), {{ sql.place_of_bit(x, n) }}){% endmacro %}
{% macro bit_of(n) %}shiftleft(cast(1 as bigint), cast(pmod({{ n }}, 63) as int)){% endmacro %}
{% macro band_of(n) %}{{ n }} div 63{% endmacro %}
{% macro has_bit(bits, x, n) %}(shiftright({{ bits }}, {{ sql.place_of_bit(x, n) }}) & 1) = 1{% endmacro %}
{% macro salted_hash(x) %}xxhash64(unix_micros(current_timestamp()), {{ x }}){% endmacro %}
{# A digest without known collisions. A salt is no alternative: it would change if Spark recomputes a lost partition. #}
{% macro profile(x) %}sha2(cast({{ sql.sorted_down(x) }} as string), 256){% endmacro %}
{% macro not_narrowed(x) %}{{ x }}{% endmacro %}
{% macro distinct(x) %}count(distinct {{ x }}){% endmacro %}
{% macro running_product(x, window) %}aggregate(collect_list({{ x }}) over {{ window }}, 1e0, (product, factor) -> product * factor){% endmacro %}
{% macro is_nan(x) %}isnan({{ x }}){% endmacro %}
{% macro is_infinite(x) %}(abs({{ x }}) = double('infinity')){% endmacro %}
{% macro type_of(x) %}upper(typeof({{ x }})){% endmacro %}
{% macro is_written_differently(x) %}(typeof({{ x }}) rlike '^(float|double|binary|timestamp$|struct|map|array)'){% endmacro %}
{# A time with a time zone, as the time in UTC, which is what the zone of the session must be. #}
{% macro in_utc(x) %}{{ x }}{% endmacro %}
{% macro span(document, start, end) %}named_struct('document', {{ document }}, 'start', {{ start }}, 'end', {{ end }}){% endmacro %}
{# All columns of a row but one. #}
{% macro without(row, column) %}{{ row }}.* except ({{ column }}){% endmacro %}
{% macro utc(x, kind="") %}{% if kind == "TIMESTAMP" %}{{ x }}{% elif kind.endswith("ZONE") %}timestampadd(microsecond, unix_micros({{ x }}), cast('1970-01-01' as timestamp_ntz)){% else %}cast({{ x }} as timestamp_ntz){% endif %}{% endmacro %}
{% macro time(x) %}cast({{ x }} as timestamp_ntz){% endmacro %}
{% macro last_before(events, shown, time) %}{{ sql.beside(events, shown, time, "max", "asc") }}{% endmacro %}
{% macro first_after(events, shown, time) %}{{ sql.beside(events, shown, time, "min", "desc") }}{% endmacro %}
{% macro series(first, last) %}explode(sequence({{ first }}, {{ last }})){% endmacro %}
{% macro whole_numbers(first, last) %}(select explode(sequence({{ first }}, cast({{ last }} as int))) as i){% endmacro %}

{% macro sorted_down(x, where="") %}sort_array(collect_list({{ x }}){{ " filter (where " ~ where ~ ")" if where }}, false){% endmacro %}
{# A position in a list is an int. The cut-off of the whole list exceeds that. #}
{% macro best(x, n, order) %}slice(sort_array(collect_list({{ x }}), {{ "false" if order == "desc" else "true" }}), 1, {{ n }}){% endmacro %}
{% macro tied_at(list, k) %}try_element_at({{ list }}, {{ k }}) = try_element_at({{ list }}, {{ k + 1 }}){% endmacro %}
{% macro first(list, n) %}slice({{ list }}, 1, cast(least({{ n }}, 2147483647) as int)){% endmacro %}
{% macro filtered(list, e, x) %}filter({{ list }}, {{ e }} -> {{ x }}){% endmacro %}
{% macro mapped(list, e, x) %}transform({{ list }}, {{ e }} -> {{ x }}){% endmacro %}
{% macro ordered_list(x, by) %}transform(array_sort(collect_list(struct({{ by }} as place, {{ x }} as value))), e -> e.value){% endmacro %}
{% macro sorted_texts(x) %}case when count({{ x }}) > 0 then array_join(sort_array(collect_list({{ x }})), ', ') end{% endmacro %}
{% macro nth(list, n) %}try_element_at({{ list }}, cast({{ n }} as int)){% endmacro %}
{% macro highest(list) %}array_max({{ list }}){% endmacro %}
{% macro length(list) %}array_size({{ list }}){% endmacro %}
{% macro total(list) %}aggregate({{ list }}, 0e0, (total, part) -> total + part){% endmacro %}
{% macro fold(f, m, last, x) %}aggregate(sequence({{ last }}, 1), 1e0, ({{ f }}, {{ m }}) -> {{ x }}){% endmacro %}
{% macro polynomial(x, coefficients) %}aggregate(array({{ coefficients | join(", ") }}), 0e0, (f, c) -> f * {{ x }} + c){% endmacro %}
{% macro sizes_down(size, users, where) %}sort_array(collect_list(struct({{ size }} as size, {{ users }} as users)) filter (where {{ where }}), false){% endmacro %}
{% macro cosines(list, turn) %}aggregate({{ list }}, 1e0, (product, e) -> product * power(cos(e.size * {{ turn }}), e.users)){% endmacro %}
{% macro mean_stop(list, chance) %}aggregate(transform({{ list }}, (g, i) -> named_struct('stop', {{ chance }} / (i + 1), 'on', 1 - {{ chance }})), named_struct('stop', 0e0, 'on', 1e0), (a, b) -> named_struct('stop', a.stop + a.on * b.stop, 'on', a.on * b.on), a -> a.stop){% endmacro %}
{% macro discounted(list, discount) %}transform({{ list }}, (g, i) -> {{ sql.in_units("g * " ~ discount("(i + 1)")) }}){% endmacro %}
{% macro total_units(list) %}cast(aggregate({{ list }}, cast(0 as decimal(38, 0)), (total, part) -> cast(total + part as decimal(38, 0))) as double) / 1e18{% endmacro %}
{% macro ranked_gains(rank, gain) %}sort_array(collect_list(struct({{ gain }} as gain, {{ rank }} as rank)), false){% endmacro %}
