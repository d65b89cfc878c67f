{#
about = "ids of the truth match those of the lists in Unicode's composed form only"
matters = "the items or users that are meant do not meet, so their hits are lost"
advice = "write both in that form: nfc_normalize(item_id) in recs and in truth"
severity = {error = "2 * f.clear >= f.total and 100 * f.clear >= f.judged", warning = "f.clear >= 10 and 100 * f.clear >= f.total", note = "f.clear < f.found and (2 * f.found >= f.total or f.found >= 10)"}
said = "error if at least half of the ids of the truth that no list has match in that form, and 1 % of all; warning from 1 % and 10 ids; note if the form makes two ids of one side equal"
unit = "users or items"
table = "truth"
own_column = true
needs = ["text ids", "nfc_normalize"]
unless = "ids are not text"
#}
{{ ids_differ(form=sql.composed("i.id")) }}
{# rows #}
{{ ids_that_differ(form=sql.composed("i.id")) }}
