{#
about = "the users in the mean of a row `x` of summary as a share of those of all users"
#}
{{ double(x ~ ".users") }} / nullif(max(case when {{ x }}.slice = 0 then {{ x }}.users end) over (partition by {{ model(x) }}{{ x }}.place, {{ x }}.k), 0)
