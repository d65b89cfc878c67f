{#
about = "per column of text ids: the number of ids of the truth that no list has, of those that a list has in the form `form`, and of these without doubt"
#}
select
    {{ sql.text("null") }} as model,
    f.column_name,
    case f.column_name when 'user_id' then 'users' else 'items' end as unit,
    cast(sum(case when f.listed > 0 then f.unmatched else 0 end) as bigint) as found,
    cast(sum(case when f.listed = 1 and f.judged = 1 then f.unmatched else 0 end) as bigint) as clear,
    cast(sum(f.unmatched) as bigint) as total,
    cast(max(f.all_judged) as bigint) as judged,
    cast(sum(f.matched) as bigint) as matched,
    coalesce(
        min(case when f.listed = 1 and f.judged = 1 and f.unmatched = 1 then f.listed_id || ' in recs, ' || f.judged_id || ' in truth' end),
        min(case when f.listed > 0 and f.unmatched > 0 then f.listed_id || ' in recs, ' || f.judged_id || ' in truth' end)
    ) as example
from (
    {{ (ids_as(form=form, at_least=at_least) if at_least is defined else ids_as(form=form)) | indent }}
) as f
group by f.column_name
