{# The sentence for the first option with an invalid value, else NULL. Each option is a LIST of its name and its value. #}
list_transform(
    [{'choices': recsql.choices(), 'numbers': recsql.numbers()}],
    lambda f: coalesce(
        list_filter(
            list_transform(options, lambda o: recsql.wrong_value(o[1], string_split(f['choices'][o[1]], ', '), o[2])),
            lambda s: s is not null
        )[1],
        list_filter(
            list_transform(numbers, lambda o: recsql.wrong_number(o[1], string_split(f['numbers'][o[1]], ' '), o[2])),
            lambda s: s is not null
        )[1]
    )
)[1]
