{#
about = "whether the scores of recs are at most ten whole numbers, as grades are"
#}
(
    select
        count(*) > 0
        and count(case when r.score = floor(r.score) then 1 end) = count(*)
        and count(distinct case when r.score = floor(r.score) then r.score end) <= 10
    from given_recs as r
)
