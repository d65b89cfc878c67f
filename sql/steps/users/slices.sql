{#
row = "one row per slice; slice 0 has all users as one segment"
when = "sliced"
#}
select 0 as slice
{% for one in slices %}
union all
select {{ one.place }} as slice
{% endfor %}
