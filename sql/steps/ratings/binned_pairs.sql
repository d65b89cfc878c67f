{#
row = "one row per pair: the sign of the sum of label - prediction in its bin"
grain = "rating"
#}
{% set all = model("p") ~ ("p.user_id, " if by_user) ~ "p.prediction is null" %}
{% set bin = "floor(p.prediction * " ~ ece_bins ~ ")" %}
select
    b.*,
    case when sum({{ sql.in_units(label_of("b.rating") ~ " - b.prediction") }}) over (partition by {{ model("b") }}{{ "b.user_id, " if by_user }}b.bin) < 0 then -1 else 1 end as sign_of_bin
from (
    select
        p.*,
{% if ece_binning == "quantile" %}
        floor((rank() over (partition by {{ all }} order by p.prediction asc) - 1) * {{ ece_bins }} / (count(*) over (partition by {{ all }}))) as bin
{% else %}
        {# A product is rounded, so that 0.29 * 100 is below 29; the quotient of two whole numbers is the closest number to the edge. #}
        least({{ bin }} + case when p.prediction >= ({{ bin }} + 1) / {{ ece_bins }} then 1 when p.prediction < {{ bin }} / {{ ece_bins }} then -1 else 0 end, {{ ece_bins }} - 1) as bin
{% endif %}
    from {{ "placed_pairs" if needs.places else "pairs" }} as p
) as b
