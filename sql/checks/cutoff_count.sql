{#
message = "k: there are more than 10000 cut-offs; give fewer"
most = 10000
place = 1
on = ["cutoffs"]
when = "named"
#}
select
    {{ sentence() | indent }} as message
where len(recsql.names(«k»)) > {{ most_cutoffs }}
