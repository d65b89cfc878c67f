{#
about = "ids of the truth match those of the lists if the longer ones are cut"
matters = "the items or users that are meant do not meet, so their hits are lost"
advice = "find where they lose their ends, as in a column varchar(8), and read them whole"
severity = {error = "2 * f.clear >= f.total and 100 * f.clear >= f.judged", warning = "f.clear >= 10 and 100 * f.clear >= f.total", note = "f.clear < f.found and (2 * f.found >= f.total or f.found >= 10)"}
said = "error if at least half of the ids of the truth that no list has match in that form, and 1 % of all; warning from 1 % and 10 ids; note if the form makes two ids of one side equal"
unit = "users or items"
table = "truth"
own_column = true
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
