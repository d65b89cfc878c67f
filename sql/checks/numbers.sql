{#
message = "{option}: {value} is not {bound}"
in_place = true
place = 1
on = []
when = "named and bounded"
#}
{% for name, option in bounded.items() %}
select c.message
from recsql.check_number('{{ name }}', «{{ name }}», {{ "case when «" ~ name ~ "» % 1 <> 0 then 'a whole number' else '" ~ option.bound ~ "' end" if option.type == "integer" else "'" ~ option.bound ~ "'" }}, {% for sign, bound in [(">", option.above), (">=", option.at_least), ("<=", option.at_most), ("<", option.below)] if bound is not none %}«{{ name }}» {{ sign }} {{ bound }}{{ " and " if not loop.last }}{% endfor %}{{ " and «" ~ name ~ "» % 1 = 0" if option.type == "integer" }}) as c
{{ "union all" if not loop.last }}
{% endfor %}
