{#
message = "{what}"
place = 1
on = ["given_interactions"]
when = "timed and (named or ((cut is none or fraction is not none) and (cut is not none or fraction is none or protocol == 'backtest')))"
#}
select
    {{ sentence(what="'protocol=''backtest'' needs a cut, the time from which the interactions of the first fold are truth'" if protocol == "backtest" else "'protocol=''temporal'' needs either a cut or a fraction'") | indent }} as message
{% if named %}
where {{ cut ~ " is null" if protocol == "backtest" else "(" ~ cut ~ " is null) = (" ~ fraction ~ " is null)" }}
{% endif %}
