{#
row = "one row per pair of models, metric and cut-off, with the p-value corrected for the number of tests, and the tail beyond the interval"
grain = "pair"

[options.correction]
about = "how p-values are corrected for the number of tests in the family"
topic = "comparison"
default = "holm"

[options.correction.values]
holm = "Holm 1979, which controls the chance of any false finding"
bonferroni = "p times the number of tests; the intervals are widened as well"
bh = "Benjamini and Hochberg 1995, which controls the share of false findings"
none = "not corrected"

[options.family]
about = "which tests are corrected together"
topic = "comparison"
default = "all"

[options.family.values]
all = "all rows of the result"
metric = "the rows of one metric and cut-off"
#}
{% set of_tests = "partition by t.number" if correction == "none" else "partition by t.place, t.k" if family == "metric" else "" %}
{% set before_order = "partition by t.place, t.k " if family == "metric" else "" %}
{% set turns = "partition by p.place, p.k " if family == "metric" else "" %}
{# Rows without a p-value are in no family. #}
select
    p.*,
{% if correction == "holm" %}
    case
        when p.p is not null
            then least(1e0, max(p.p * (p.tests - p.turn + 1)) over ({{ turns }}order by p.turn asc rows between unbounded preceding and current row))
    end as p_adjusted,
{% elif correction == "bh" %}
    case
        when p.p is not null
            then least(1e0, min(p.p * p.tests / p.turn) over ({{ turns }}order by p.turn asc rows between current row and unbounded following))
    end as p_adjusted,
{% elif correction == "bonferroni" %}
    case when p.p is not null then least(1e0, p.p * p.tests) end as p_adjusted,
{% else %}
    p.p as p_adjusted,
{% endif %}
    {{ "(1e0 - " ~ interval ~ ")" ~ (" / greatest(p.tests, 1)" if correction == "bonferroni") }} as tail
from (
    select
        t.*,
        count(t.p) over ({{ of_tests }}) as tests,
        row_number() over ({{ before_order }}order by t.p asc nulls last, t.number asc) as turn
    from tests as t
) as p
