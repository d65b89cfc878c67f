{#
message = "window: give the length of {part}, such as 7 days"
place = 1
on = ["given_interactions"]
when = "(named or split__window is none) and (protocol == 'backtest' or (timed and validation == 'true' and cut is not none))"
#}
select
    {{ sentence(part="'the truth of each fold'" if protocol == "backtest" else "'the validation before the cut'") | indent }} as message
{% if named %}
where {{ split__window }} is null
{% endif %}
