{#
about = "the users in the mean of a row `x` of summary as a share of those of all users; of the lists, if the value is no mean"
#}
{% set users = double(x ~ ".users") %}
{% set of_all = "nullif(max(case when " ~ x ~ ".slice = 0 then " ~ x ~ ".users end) over (partition by " ~ model(x) ~ x ~ ".place, " ~ x ~ ".k), 0)" %}
{% if item_metrics %}
case
    when {{ x }}.users is null then coalesce(l.share, 0e0)
    else {{ users }} / {{ of_all }}
end
{% else %}
{{ users }} / {{ of_all }}
{% endif %}
