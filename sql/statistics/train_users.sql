{#
about = "users of train"
over = "run"
#}
{{ double("(select n.users from train_totals as n)") }}
