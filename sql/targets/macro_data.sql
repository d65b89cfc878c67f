{# The data that all macros over tables share: the options of presets, and the texts of queries. #}
-- the options that presets set: 'preset option', or 'preset apart option' for metrics that the preset treats differently
create or replace macro recsql.presets() as
    map_from_entries(list_transform(
        string_split(
$${{ presets }}$$,
            chr(10)
        ),
        lambda x: {'k': string_split(x, '=')[1], 'v': string_split(x, '=')[2]}
    ));

-- the texts of all queries by name, with marks that say under which condition a part of a text belongs to a query
create or replace macro recsql.texts() as
$$
{{ texts }}$$;
