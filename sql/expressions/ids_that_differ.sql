{#
about = "the ids of the truth that a list would have in the form `form`, with those of the lists"
#}
select f.column_name, f.judged_id as truth_id, f.listed_id as recs_id, f.judged as truth_ids, f.listed as recs_ids
from (
    {{ (ids_as(form=form, at_least=at_least) if at_least is defined else ids_as(form=form)) | indent }}
) as f
where f.listed > 0 and f.unmatched > 0
