{# The sentence for the first option with an invalid value, else NULL. Each option is a LIST of its name and its value. #}
{% set values, number, value = "f['choices'][o[1]]", "f['numbers'][o[1]]", "try_cast(o[2] as double)" %}
{% set choices = "string_split(" ~ values ~ ", ', ')" %}
{% set bound = "case when not coalesce(isfinite(" ~ value ~ "), false) then 'a number' when " ~ number ~ ".whole and " ~ value ~ " % 1 <> 0 then 'a whole number' else " ~ number ~ ".bound end" %}
list_transform(
    [{'choices': recsql.choices(), 'numbers': recsql.numbers()}],
    lambda f: coalesce(
        list_transform(
            list_filter(options, lambda o: not list_contains({{ choices }}, o[2])),
            lambda o:
                {{ sentence("options", option="o[1]", value="o[2]", hint=sql.nearest("o[2]", choices), values=values) | indent(16) }}
        )[1],
        list_transform(
            list_filter(
                numbers,
                lambda o: o[2] is not null and not (
                    coalesce(isfinite({{ value }}), false)
                    and (not {{ number }}.whole or {{ value }} % 1 = 0)
                    and coalesce({{ value }} > {{ number }}.above, true)
                    and coalesce({{ value }} >= {{ number }}.at_least, true)
                    and coalesce({{ value }} <= {{ number }}.at_most, true)
                )
            ),
            lambda o:
                {{ sentence("numbers", option="o[1]", value="o[2]", bound=bound) | indent(16) }}
        )[1]
    )
)[1]
