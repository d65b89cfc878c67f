{# The call with every option known. The names of its metrics include the options that are not the default. #}
select
    e.model,
    {{ label }} as metric,
    e.value,
    e.pairs,
    e.users,
    e.missing,
    e.unmatched_predictions,
    e.unmatched_ratings
from recsql.{{ under }}(
    {{ most }}
) as e
