{#
message = "{interactions}: user {user} has interactions of {time} in {first} and in {last}; ties='item' or ties='together' decides"
place = 5
on = ["parted"]
when = "split__ties == 'error' and protocol in ['leave_one_out', 'last_n', 'last_fraction', 'users'] and order_by != 'hash'"
#}
{% set rows = divided() %}
select
    {{ sentence(user="a.user_id", time=sql.text("a.place"), first="a.last", last="a.first") | indent }} as message
from (
    select
        {{ names.user_id }} as user_id,
        {{ names.order_by }} as place,
        min(t.part) as first,
        max(t.part) as last
    from {{ rows }} as t
    group by {{ names.user_id }}, {{ names.order_by }}
) as a
where a.first <> a.last
order by a.user_id asc, a.place asc
limit 1
