{#
row = "one row per model with predictions: how many pairs were compared, and how many rows had no match"
grain = "rating"
#}
select
{% if modelled %}
    p.model,
{% endif %}
    coalesce(s.used, 0) as pairs,
    coalesce(s.missing, 0) as missing,
    {{ "p.predictions - coalesce(s.used + s.missing, 0)" if ratings_apart else "0" }} as unmatched_predictions,
    {{ "(select count(*) from given_ratings as t) - coalesce(s.used + s.missing, 0)" if ratings_apart else "0" }} as unmatched_ratings
from (
    select {{ model("g") }}count(*) as predictions
    from given_predictions as g
{% if modelled %}
    group by g.model
{% endif %}
) as p
left join (
    select {{ model("e") }}cast(sum(e.used) as bigint) as used, cast(sum(e.missing) as bigint) as missing
    from rating_errors as e
{% if modelled %}
    group by e.model
{% endif %}
) as s on {{ on_model("s", "p") }}
