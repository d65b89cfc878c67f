{#
message = "{recs}: no item of the lists{model} is in {truth}: for example, '{listed}' here and '{judged}' there; check how the ids are written (case, spaces, leading zeros, Unicode forms)"
warning = true
when = "unproven and 'truth' in tables"
#}
{{ models_apart(sentence=sentence, id="item_id") }}
