{#
message = "{interactions}: protocol='{protocol}' leaves no interaction in {part}{fold}"
place = 6
on = ["parted"]
when = "protocol != 'leave_one_out'"
#}
{% set rows = split_result() %}
select
    {{ sentence(
        protocol="'" ~ protocol ~ "'",
        part="case when a.train = 0 then 'train' when a.truth = 0 then 'truth' else 'validation' end",
        fold="' of fold ' || " ~ sql.text("a.fold") if in_folds else "''",
    ) | indent }} as message
from (
    select
{% if in_folds %}
        t.fold,
{% endif %}
        count(case when t.part = 'train' then 1 end) as train,
        count(case when t.part = 'truth' then 1 end) as truth,
        count(case when t.part = 'validation' then 1 end) as validation
    from {{ rows }} as t
{% if in_folds %}
    group by t.fold
{% endif %}
) as a
where a.train = 0 or a.truth = 0{{ " or a.validation = 0" if validation == "true" else "" }}
order by {{ "a.fold" if in_folds else "a.train" }} asc
limit 1
