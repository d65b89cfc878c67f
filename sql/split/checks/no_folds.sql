{#
message = "{interactions}: no window after this cut ends by the last interaction, at {last}; give an earlier cut or a shorter window"
place = 4
on = ["cuts"]
when = "protocol == 'backtest'"
#}
select
    {{ sentence(last=sql.text("a.last")) | indent }} as message
from (
    select max({{ names.order_by }}) as last
    from {{ split_input() }} as t
) as a
where not exists (select 1 from cuts as c)
