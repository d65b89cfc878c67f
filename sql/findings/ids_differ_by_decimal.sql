{#
about = "ids of the truth match those of the lists without .0 at their end"
matters = "the items or users that are meant do not meet, so their hits are lost"
advice = "cast the ids to whole numbers before they become text: cast(cast(item_id as double) as bigint)"
severity = {error = "2 * f.clear >= f.total and 100 * f.clear >= f.judged", warning = "f.clear >= 10 and 100 * f.clear >= f.total", note = "f.clear < f.found and (2 * f.found >= f.total or f.found >= 10)"}
said = "error if at least half of the ids of the truth that no list has match in that form, and 1 % of all; warning from 1 % and 10 ids; note if the form makes two ids of one side equal"
unit = "users or items"
table = "truth"
own_column = true
needs = ["text ids"]
unless = "ids are not text"
#}
{{ ids_differ(form="regexp_replace(i.id, '[.]0+$', '')") }}
{# rows #}
{{ ids_that_differ(form="regexp_replace(i.id, '[.]0+$', '')") }}
