{# The call with every option known, its metrics named by what is not the default. #}
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
