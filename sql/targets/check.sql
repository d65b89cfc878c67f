{# The file of the macro check, which is loaded after the macro file. #}
-- recsql {{ version }}: what is odd about the tables of an evaluation, for DuckDB 1.5 or newer.
--
--     .read recsql.sql
--     .read check.sql
--     from recsql.check('recs.parquet', 'truth.parquet', k := 10);
--
-- The macro stands beside the others of its schema, and reads some of them, so load it after them. A database has both.
-- Made with {{ whole.command }} --check.
--
-- Contents:
--
{% for spec in whole.specs if spec.section == "Check" %}
--     {{ spec.name }}: {{ spec.about }}
{% endfor %}
--
-- Each finding is a macro of its own, named after it. It reads the steps of check: one row per list, per user, per item.
-- recsql.check in Python has more findings, of further tables, values and options: {{ left_out | join(", ") }}.

begin transaction;

{{ checks | join("\n\n") }}


commit;
