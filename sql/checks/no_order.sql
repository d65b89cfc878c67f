{#
message = "ties='{ties}' gives tied items no order, which truth_window, single rows, means over lists and metrics of all lists need; use ties='item_asc', 'item_desc', 'input' or 'error'"
place = 1
on = []
when = "unordered and (target == 'rank_by_score' or (ranked_read and (not of_users or of_items or lists_summed or truth_window in ['k', 'rank'])))"
#}
select
    {{ sentence(ties="'" ~ ties ~ "'") | indent }} as message
