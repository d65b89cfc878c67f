{#
Ids: NULL, of different types, written in different ways, or in one table only.
#}

-- name: recs_ids
{#
message = "{recs}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}, `rank` {rank}); leave such rows out or give them an id"
place = 3
on = ["given_recs"]
#}
select
    {{ sentence(column="case when r.user_id is null then 'user_id' else 'item_id' end", user="r.user_id", item="r.item_id", rank="r.rank") | indent }} as message
{% if from_lists %}
from (
    select r.user_id, {{ sql.items_of("r.items") }}
    from given_lists as r
    where r.user_id is null or {{ sql.place_in("r.items", "null") }} > 0
) as r
{% else %}
from given_recs as r
{% endif %}
where r.user_id is null or r.item_id is null
order by r.user_id asc, r.item_id asc
limit 1

-- name: truth_ids
{#
message = "{truth}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}); leave such rows out or give them an id"
place = 3
on = ["given_truth"]
#}
{{ null_ids("given_truth", alias="t", sentence=sentence) }}

-- name: candidate_ids
{#
message = "{candidates}: {column} is NULL in a row (`user_id` {user}, `item_id` {item}); leave such rows out or give them an id"
place = 3
on = ["given_candidates"]
#}
{{ null_ids("given_candidates", alias="c", sentence=sentence) }}

-- name: id_types
{#
message = "{column} is {in_left} in {left} and {in_right} in {right}; cast one of them to the other's type"
in_place = true
#}
{% if named and left in tables %}
select c.message
from recsql.check_id_types(¦given_{{ left }}¦, ¦given_{{ right }}¦, {{ tables[left].name }}, {{ tables[right].name }}) as c
{% endif %}

-- name: long_ids
{#
message = "{table}: {column} is DOUBLE and has ids beyond 2^53, whose last digits are lost; read it as text, in a view over read_csv('...', types = {{'{column}': 'VARCHAR'}})"
in_place = true
place = 3
on = []
when = "named and read_tables()"
#}
{% for role in read_tables() %}
select c.message
from recsql.check_long_ids(¦given_{{ role }}¦, {{ tables[role].name }}) as c
{{ "union all" if not loop.last }}
{% endfor %}

-- name: changed_ids
{#
message = "{table}: {column} {id} is read as {kind}, which changes it; read it as text, in a view over read_csv('...', types = {{'{column}': 'VARCHAR'}})"
in_place = true
place = 3
on = []
when = "named and read_tables()"
#}
{% for role in read_tables() %}
select c.message
from recsql.check_changed_ids(¦given_{{ role }}¦, {{ tables[role].name }}) as c
{{ "union all" if not loop.last }}
{% endfor %}

-- name: null_ids
{#
about = "rows have no id"
matters = "evaluate refuses them in recs and truth; in train and items they stand for nothing"
advice = "leave them out: where user_id is not null and item_id is not null"
severity = {error = "f.role in ('recs', 'truth')", warning = "true"}
said = "error in recs and truth, warning in train and items"
unit = "rows"
#}
select
    {{ sql.text("null") }} as model,
    i.role,
    i.table_name,
    i.column_name,
    i.events as found,
    i.total,
    {{ sql.text("null") }} as example
from odd_ids as i
where i.id is null
{# rows #}
select 'recs' as table_name, {{ sql.text("r.user_id") }} as user_id, {{ sql.text("r.item_id") }} as item_id
from given_recs as r
where r.user_id is null or r.item_id is null
union all
select 'truth' as table_name, {{ sql.text("t.user_id") }} as user_id, {{ sql.text("t.item_id") }} as item_id
from given_truth as t
where t.user_id is null or t.item_id is null

-- name: float_ids
{#
about = "ids are floating-point numbers"
matters = "large ones are rounded, so different ids can become equal"
advice = "cast them to whole numbers: cast(user_id as bigint); if they are too large, read them as text from the start"
severity = {error = "f.largest >= f.bound", warning = "true"}
said = "error if ids are beyond 2^53 (2^24 for FLOAT), where not every whole number exists; else warning"
unit = "rows"
needs = ["float ids"]
#}
select
    {{ sql.text("null") }} as model,
    i.table_name,
    i.column_name,
    sum(i.events) as found,
    sum(i.events) as total,
    max(case when abs(i.id) < 1e300 then abs(i.id) end) as largest,
    max(i.bound) as bound,
    {{ sql.text("max(case when abs(i.id) < 1e300 then i.id end)") }} as example
from (
    {{ float_ids_of_tables() | indent }}
) as i
group by i.table_name, i.column_name
{# rows #}
select i.table_name, i.column_name, i.id, i.events as table_rows
from (
    {{ float_ids_of_tables() | indent }}
) as i
where abs(i.id) < 1e300 and abs(i.id) >= i.bound

-- name: placeholder_ids
{#
about = "ids are what programs write where there is no id: an empty text, nan, None, null or -1"
matters = "all such rows become those of one user or item, who has many hits by chance"
advice = "leave these rows out before you write the tables"
severity = "warning"
unit = "rows"
unless = "the id is -1 in at most 1 % of the rows"
#}
select
    {{ sql.text("null") }} as model,
    i.table_name,
    i.column_name,
    sum(i.events) as found,
    max(i.total) as total,
    max({{ sql.said("i.id") }}) as example
from odd_ids as i
where i.id is not null and (i.id <> '-1' or 100 * i.events > i.total)
group by i.table_name, i.column_name
{# rows #}
select i.table_name, i.column_name, i.id, i.events as table_rows
from odd_ids as i
where i.id is not null

-- name: ids_differ_by_type
{#
about = "ids have different types in two tables"
matters = "no id of one table is equal to an id of the other"
advice = "cast one of them to the other's type"
severity = "error"
unit = "rows"
needs = ["types"]
#}
{% if named %}
{# The steps have no rows then. #}
select {{ sql.text("null") }} as model, 1 as found, cast(null as bigint) as total, c.message as example
from {{ types_that_differ() | trim }} as c
{% else %}
select
    {{ sql.text("null") }} as model,
    count(*) as found,
    count(*) as total,
    {{ literal("user_id is " ~ types.truth.user_id ~ " in truth, " ~ types.train.user_id ~ " in train") }} as example
from given_train as t
{% endif %}

-- name: ids_differ_by_case
{#
about = "ids of the truth match those of the lists in upper or lower case only"
matters = "the items or users that are meant do not meet, so their hits are lost"
advice = "write both in one case: lower(item_id) in recs and in truth"
severity = {error = "2 * f.clear >= f.total and 100 * f.clear >= f.judged", warning = "f.clear >= 10 and 100 * f.clear >= f.total", note = "f.clear < f.found and (2 * f.found >= f.total or f.found >= 10)"}
said = "error if at least half of the ids of the truth that no list has match in that form, and 1 % of all; warning from 1 % and 10 ids; note if the form makes two ids of one side equal"
unit = "users or items or documents"
table = "truth"
needs = ["text ids"]
unless = "ids are not text"
#}
{{ ids_differ(form="lower(i.id)") }}
{# rows #}
{{ ids_that_differ(form="lower(i.id)") }}

-- name: ids_differ_by_space
{#
about = "ids of the truth match those of the lists without the white space around them and without characters that have no width"
matters = "the items or users that are meant do not meet, so their hits are lost"
advice = "remove it: trim(item_id) in recs and in truth, or regexp_replace for tabs, ends of lines and a byte order mark"
severity = {error = "2 * f.clear >= f.total and 100 * f.clear >= f.judged", warning = "f.clear >= 10 and 100 * f.clear >= f.total", note = "f.clear < f.found and (2 * f.found >= f.total or f.found >= 10)"}
said = "error if at least half of the ids of the truth that no list has match in that form, and 1 % of all; warning from 1 % and 10 ids; note if the form makes two ids of one side equal"
unit = "users or items or documents"
table = "truth"
needs = ["text ids"]
unless = "ids are not text"
#}
{{ ids_differ(form=sql.stripped("i.id")) }}
{# rows #}
{{ ids_that_differ(form=sql.stripped("i.id")) }}

-- name: ids_differ_by_quotes
{#
about = "ids of the truth match those of the lists without the quotation marks around them"
matters = "the items or users that are meant do not meet, so their hits are lost"
advice = "remove them: trim(item_id, '\"') in recs and in truth, or read the file with its own quote"
severity = {error = "2 * f.clear >= f.total and 100 * f.clear >= f.judged", warning = "f.clear >= 10 and 100 * f.clear >= f.total", note = "f.clear < f.found and (2 * f.found >= f.total or f.found >= 10)"}
said = "error if at least half of the ids of the truth that no list has match in that form, and 1 % of all; warning from 1 % and 10 ids; note if the form makes two ids of one side equal"
unit = "users or items or documents"
table = "truth"
needs = ["text ids"]
unless = "ids are not text"
#}
{{ ids_differ(form=sql.unquoted("i.id")) }}
{# rows #}
{{ ids_that_differ(form=sql.unquoted("i.id")) }}

-- name: ids_differ_by_prefix
{#
about = "ids of the truth match those of the lists without what is before them, such as item_ or m in front of a number"
matters = "the items or users that are meant do not meet, so their hits are lost"
advice = "write both with it or both without it: regexp_replace(item_id, '^item_', '')"
severity = {error = "2 * f.clear >= f.total and 100 * f.clear >= f.judged", warning = "f.clear >= 10 and 100 * f.clear >= f.total", note = "f.clear < f.found and (2 * f.found >= f.total or f.found >= 10)"}
said = "error if at least half of the ids of the truth that no list has match in that form, and 1 % of all; warning from 1 % and 10 ids; note if the form makes two ids of one side equal"
unit = "users or items or documents"
table = "truth"
needs = ["text ids"]
unless = "ids are not text, or both have something before them"
#}
{{ ids_differ(form=without_prefix(), bare=true) }}
{# rows #}
{{ ids_that_differ(form=without_prefix(), bare=true) }}

-- name: ids_differ_by_zeros
{#
about = "ids of the truth match those of the lists without their leading zeros"
matters = "the items or users that are meant do not meet, so their hits are lost"
advice = "pad both to one length, as in lpad(item_id, 7, '0'), or remove the zeros: ltrim(item_id, '0')"
severity = {error = "2 * f.clear >= f.total and 100 * f.clear >= f.judged", warning = "f.clear >= 10 and 100 * f.clear >= f.total", note = "f.clear < f.found and (2 * f.found >= f.total or f.found >= 10)"}
said = "error if at least half of the ids of the truth that no list has match in that form, and 1 % of all; warning from 1 % and 10 ids; note if the form makes two ids of one side equal"
unit = "users or items or documents"
table = "truth"
needs = ["text ids"]
unless = "ids are not text"
#}
{{ ids_differ(form="regexp_replace(i.id, '^0+', '')") }}
{# rows #}
{{ ids_that_differ(form="regexp_replace(i.id, '^0+', '')") }}

-- name: ids_differ_by_decimal
{#
about = "ids of the truth match those of the lists without .0 at their end"
matters = "the items or users that are meant do not meet, so their hits are lost"
advice = "cast the ids to whole numbers before they become text: cast(cast(item_id as double) as bigint)"
severity = {error = "2 * f.clear >= f.total and 100 * f.clear >= f.judged", warning = "f.clear >= 10 and 100 * f.clear >= f.total", note = "f.clear < f.found and (2 * f.found >= f.total or f.found >= 10)"}
said = "error if at least half of the ids of the truth that no list has match in that form, and 1 % of all; warning from 1 % and 10 ids; note if the form makes two ids of one side equal"
unit = "users or items or documents"
table = "truth"
needs = ["text ids"]
unless = "ids are not text"
#}
{{ ids_differ(form="regexp_replace(i.id, '[.]0+$', '')") }}
{# rows #}
{{ ids_that_differ(form="regexp_replace(i.id, '[.]0+$', '')") }}

-- name: ids_differ_by_length
{#
about = "ids of the truth match those of the lists if the longer ones are cut"
matters = "the items or users that are meant do not meet, so their hits are lost"
advice = "find where they lose their ends, as in a column varchar(8), and read them whole"
severity = {error = "2 * f.clear >= f.total and 100 * f.clear >= f.judged", warning = "f.clear >= 10 and 100 * f.clear >= f.total", note = "f.clear < f.found and (2 * f.found >= f.total or f.found >= 10)"}
said = "error if at least half of the ids of the truth that no list has match in that form, and 1 % of all; warning from 1 % and 10 ids; note if the form makes two ids of one side equal"
unit = "users or items or documents"
table = "truth"
needs = ["text ids"]
unless = "ids are not text, are shorter than 6 characters, or some of the cut length match as they are"
#}
select d.*
from (
    {{ ids_differ(form="substr(i.id, 1, n.length)", at_least=6) | indent }}
) as d
where d.matched = 0
{# rows #}
{{ ids_that_differ(form="substr(i.id, 1, n.length)", at_least=6) }}

-- name: ids_differ_by_unicode
{#
about = "ids of the truth match those of the lists in Unicode's composed form only"
matters = "the items or users that are meant do not meet, so their hits are lost"
advice = "write both in that form: nfc_normalize(item_id) in recs and in truth"
severity = {error = "2 * f.clear >= f.total and 100 * f.clear >= f.judged", warning = "f.clear >= 10 and 100 * f.clear >= f.total", note = "f.clear < f.found and (2 * f.found >= f.total or f.found >= 10)"}
said = "error if at least half of the ids of the truth that no list has match in that form, and 1 % of all; warning from 1 % and 10 ids; note if the form makes two ids of one side equal"
unit = "users or items or documents"
table = "truth"
needs = ["text ids", "nfc_normalize"]
unless = "ids are not text"
#}
{{ ids_differ(form=sql.composed("i.id")) }}
{# rows #}
{{ ids_that_differ(form=sql.composed("i.id")) }}

-- name: no_common_users
{#
about = "the lists and the truth have no user in common"
matters = "every value is 0"
advice = "compare how both tables write the ids: case, spaces, leading zeros, types"
severity = "error"
unit = "users"
table = "truth"
column = "user_id"
counts = "users_without_list == users_with_truth"
message = "{recs}: no user of the lists{model} is in {truth}: for example, '{listed}' here and '{judged}' there; check how the ids are written (case, spaces, leading zeros, Unicode forms)"
warns = "unproven and 'truth' in tables"
#}
{{ no_common_ids(ids="user_ids") }}
{# rows #}
select i.id as user_id
from user_ids as i
where i.in_truth = 1 and i.in_recs = 0
{# sentence #}
{{ models_apart(sentence=sentence, id="user_id") }}

-- name: no_common_items
{#
about = "the lists and the truth have no item in common"
matters = "every value is 0"
advice = "compare how both tables write the ids: case, spaces, leading zeros, types"
severity = {error = "f.total >= 20", warning = "true"}
said = "error; warning below 20 relevant items"
unit = "items"
table = "truth"
column = "item_id"
counts = "not has_hit"
message = "{recs}: no item of the lists{model} is in {truth}: for example, '{listed}' here and '{judged}' there; check how the ids are written (case, spaces, leading zeros, Unicode forms)"
when = "not of_spans"
warns = "unproven and 'truth' in tables and not of_spans"
#}
{{ no_common_ids(ids="item_ids") }}
{# rows #}
select i.id as item_id
from item_ids as i
where i.in_truth = 1 and i.in_recs = 0
{# sentence #}
{{ models_apart(sentence=sentence, id="item_id") }}

-- name: no_common_documents
{#
about = "the lists and the truth have no document in common"
matters = "every value is 0"
advice = "compare how both tables write the ids: case, spaces, leading zeros, types"
severity = {error = "f.total >= 20", warning = "true"}
said = "error; warning below 20 documents with spans"
unit = "documents"
table = "truth"
column = "document"
counts = "not has_hit"
message = "{recs}: no document of the lists{model} is in {truth}: for example, '{listed}' here and '{judged}' there; check how the ids are written (case, spaces, leading zeros, Unicode forms)"
when = "of_spans"
warns = "unproven and 'truth' in tables and of_spans"
#}
{{ no_common_ids(ids="item_ids") }}
{# rows #}
select i.id as document
from item_ids as i
where i.in_truth = 1 and i.in_recs = 0
{# sentence #}
{{ models_apart(sentence=sentence, id="document") }}
