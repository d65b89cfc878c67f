{#
message = "ties='{ties}' needs the order of the rows, which preserve_insertion_order = false gives up; set it to true, or use ties='item'"
place = 2
on = ["given_interactions"]
when = "by_row"
#}
select
    {{ sentence(ties="'" ~ split__ties ~ "'") | indent }} as message
where not current_setting('preserve_insertion_order')
