{#
about = "the number of a cut-off, given as text; NULL for the whole list"
parameters = "k"
#}
case
    when k is null or lower(k) = 'all' then null
    when try_cast(k as double) between 1 and {{ most_k }} and try_cast(k as double) = floor(try_cast(k as double))
        then cast(try_cast(k as double) as bigint)
    else {{ refusal("cutoffs", found="coalesce(nullif(k, ''), 'none')") | indent }}
end
