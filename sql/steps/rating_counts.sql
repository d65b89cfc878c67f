{#
row = "one row per model with predictions: how many pairs were compared, and how many rows had no match"
grain = "rating"
#}
{% set apart = is_given("ratings") %}
select
    p.model,
    coalesce(s.used, 0) as pairs,
    coalesce(s.missing, 0) as missing,
    {{ apart.then("p.predictions - coalesce(s.used + s.missing, 0)", "0") }} as unmatched_predictions,
    {{ apart.then("(select count(*) from given_ratings as t) - coalesce(s.used + s.missing, 0)", "0") }} as unmatched_ratings
from (
    select g.model, count(*) as predictions
    from given_predictions as g
    group by g.model
) as p
left join (
    select e.model, cast(sum(e.used) as bigint) as used, cast(sum(e.missing) as bigint) as missing
    from rating_errors as e
    group by e.model
) as s on s.model is not distinct from p.model
