{# The split of interactions: what it reads, its last step, and whether the part of a row follows from its time alone. #}
{% set splits = target == "split" %}
{% set timed = protocol == "temporal" or protocol == "backtest" %}
{% set in_folds = protocol == "k_fold" or protocol == "backtest" %}
{% set drawn = order_by == "hash" or protocol in ["random", "k_fold", "users"] %}
{% set placed = (order_by != "hash" and protocol not in ["random", "k_fold"]) or split__target != "all" %}
{% set limited = core is not none or user_min is not none or item_min is not none %}
{% set by_row = split__ties in ["row_first", "row_last"] and protocol in ["leave_one_out", "last_n", "last_fraction", "users"] %}
{% set dropped = cold_users == "drop" or cold_items == "drop" or repeats == "drop" %}
{% set row_by_row = timed and not limited and not dropped and split__target == "all" %}
