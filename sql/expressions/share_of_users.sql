{#
about = "the users in the mean of a row `s` of summary as a share of those of all users `a`; of the lists `l`, if the value is not a mean"
#}
{% set share = double("s.users") ~ " / nullif(a.users, 0)" %}
{% if item_metrics %}
case
    when s.users is null then coalesce(l.share, 0e0)
    else {{ share }}
end
{% else %}
{{ share }}
{% endif %}
