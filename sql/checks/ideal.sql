{#
message = "{option}: ideal supports only {option}='{plain}', not '{given}'"
place = 2
plain = { ideal = "truth", truth_window = "all" }
on = []
when = "target == 'ideal' and named and (ideal != 'truth' or truth_window != 'all')"
#}
{% if ideal != "truth" %}
select {{ sentence(option="'ideal'", plain="'truth'", given="'" ~ ideal ~ "'") | indent }} as message
{% else %}
select {{ sentence(option="'truth_window'", plain="'all'", given="'" ~ truth_window ~ "'") | indent }} as message
{% endif %}
