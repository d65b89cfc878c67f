{#
message = "k: this macro takes one cut-off, and not {found}; give the largest"
place = 1
on = ["cutoffs"]
when = "named and one_k"
#}
select
    {{ sentence(found="len(recsql.names(«k»))") | indent }} as message
where len(recsql.names(«k»)) > 1
