{#
title = "Matthews correlation coefficient"
group = "confusion"
formula = "(tp x tn - fp x fn) / sqrt((tp + fp) (tp + fn) (tn + fp) (tn + fn)); 0 if that divides by 0"
reference = "Matthews 1975"
care = "over a large catalogue it is close to sqrt(precision x recall), so a user with many more or far fewer than k relevant items can't come near 1; compare it only at one k"
example = { lists = "['a', 'b', 'c', 'd'], ['b', 'd', 'e'], 4", value = "0.5624", options = { catalog_size = 100 } }
aliases = ["matthews_correlation", "matthews_corrcoef", "matthews_correlation_coefficient", "phi_coefficient"]
bounds = [-1, 1]
exceeds = "duplicates == 'count'"

[[requires]]
one_of = ["catalog_size", "items", "candidates"]
#}
{# With n = tp + fp and p = tp + fn, it is (tp x catalog_size - n x p) / sqrt(n (catalog_size - n) p (catalog_size - p)), which is linear in tp. #}
{% set n = "s.k" if fp_count == "k" else "s.returned" %}
{% set p = "(s.relevant + (s.hits - s.distinct_hits))" %}
case
    when {{ metric.tn | indent(8) }} >= 0e0
        then coalesce(
            (s.hits * s.candidates - {{ n }} * {{ p }})
            / nullif(
                sqrt(
                    ({{ n }} * (s.candidates - {{ n }}))
                    * ({{ p }} * (s.candidates - {{ p }}))
                ),
                0e0
            ),
            0e0
        )
end
