{#
about = "the sum over parts, rows `a`, of their column `x` for the metric at `place`; NULL if a part with users has none"
#}
case
    when count(case when a.place = {{ place }} and a.users > 0 and a.{{ x }} is null then 1 end) = 0
        then {{ added(x, place=place) }}
end
