{#
about = "the most popular items of train have hits for more users than the model has"
matters = "a model that does not know the users is better, so the model, its ids or the order of its lists may be wrong"
advice = "compare both with recsql.compare and the lists of recsql.popularity(train)"
severity = "warning"
unit = "users"
table = "recs"
needs = ["train.user_id"]
level = "full"
when = "candidates is none"
unless = "the difference is within chance, two standard errors"
#}
select
    {{ model_of("u") }},
    case when u.missed - u.gained > 2 * sqrt(u.missed + u.gained) then u.missed end as found,
    u.users as total,
    'hit ' || {{ sql.text("round(" ~ double("u.hits") ~ " / u.users, 4)") }} || ', popularity ' || {{ sql.text("round(" ~ double("u.popular") ~ " / u.users, 4)") }} as example
from (
    select
        {{ model("f") }}count(*) as users,
        count(case when h.hits_at_k > 0 then 1 end) as hits,
        count(p.user_id) as popular,
        count(case when p.user_id is not null and coalesce(h.hits_at_k, 0) = 0 then 1 end) as missed,
        count(case when p.user_id is null and h.hits_at_k > 0 then 1 end) as gained
    from list_facts as f
    inner join user_ids as u on u.id = f.user_id and u.in_truth = 1
    left join list_hits as h on {{ same_model("h", "f") }}h.user_id = f.user_id
    left join popular_hits as p on p.user_id = f.user_id
    {{ group_by_model("f") }}
) as u
where u.users > 0
{# rows #}
select {{ model("f") }}f.user_id
from list_facts as f
inner join popular_hits as p on p.user_id = f.user_id
left join list_hits as h on {{ same_model("h", "f") }}h.user_id = f.user_id
where coalesce(h.hits_at_k, 0) = 0
