{#
row = "a single row: the number of rows of train, and of users if a metric counts these"
grain = "item"
#}
select
    {{ read_of("train_totals", (["count(distinct t.user_id) as users"] if train_users_counted else []) + ["count(*) as interactions"]) }}
from given_train as t
where t.item_id is not null
