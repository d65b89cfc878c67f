with
-- one row per row of recs, with recsql's column names
given_recs as (
    select
        cast(r.model as varchar) as model,
        r.user_id,
        r.item_id,
        r.rank,
        r.score
    from read_parquet('examples/movietweetings/recs.parquet') as r
),

-- one row per row of truth, with recsql's column names
given_truth as (
    select
        t.user_id,
        t.item_id,
        cast(t.relevance as double) as relevance,
        cast(null as bigint) as rank
    from read_parquet('examples/movietweetings/truth.parquet') as t
),

-- one row per cut-off
cutoffs as (
    select 5 as k
    union all
    select 10 as k
),

-- one row per user and item of the truth, with its highest relevance
judged as (
    select t.user_id, t.item_id, max(t.relevance) as relevance
    from given_truth as t
    where t.item_id is not null
    group by t.user_id, t.item_id
),

-- one row per row of recs, with its rank
ranked as (
    select r.model, r.user_id, r.item_id, r.rank
    from given_recs as r
),

-- one row per recommended item, up to the largest cut-off
recommended as (
    select r.model, r.user_id, r.item_id, r.rank
    from ranked as r
),

-- one row per user and relevant item; repeated items count once, with their highest relevance
relevant as (
    select
        t.user_id,
        t.item_id,
        max(t.relevance) as gain
    from given_truth as t
    where t.relevance > 0
    group by t.user_id, t.item_id
),

-- one row per user with relevant items, with their number
users as (
    select t.user_id, count(*) as relevant
    from relevant as t
    group by t.user_id
),

-- one row per user with relevant items: their gains, highest first, or these discounted
ideals as (
    select
        t.user_id,
        [g * (1e0 / nullif(log2(r + 1), 0)) for g, r in list(t.gain order by t.gain desc)] as weights
    from relevant as t
    group by t.user_id
),

-- one row per list and relevant item in the list, at its best rank
found as (
    select
        r.model,
        r.user_id,
        r.item_id,
        min(r.rank) as rank,
        min_by(t.gain, r.rank) as gain,
        count(*) as copies
    from recommended as r
    inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
    group by r.model, r.user_id, r.item_id
),

-- one row per hit, numbered in list order
hits as (
    select
        f.model,
        f.user_id,
        f.item_id,
        try_cast(f.rank as bigint) as rank,
        f.gain,
        f.copies,
        row_number() over (partition by f.model, f.user_id order by f.rank asc, f.item_id asc) as nth
    from found as f
),

-- one row per hit and cut-off at which it counts
hits_in_force as (
    select h.model, h.user_id, h.item_id, c.k, h.rank, h.gain, h.nth
    from hits as h
    inner join cutoffs as c on c.k >= h.rank
),

-- one row per hit and cut-off at which it counts, with the probability that a reader gets to it
readings as (
    select
        h.model,
        h.user_id,
        h.item_id,
        h.k,
        h.rank,
        h.gain,
        h.nth,
        coalesce(product(1 - ((power(2e0, greatest(h.gain, 0e0)) - 1) / power(2e0, 10))) over (
            partition by h.model, h.user_id, h.k
            order by h.nth asc
            rows between unbounded preceding and 1 preceding
        ), 1e0) as reached
    from hits_in_force as h
),

-- one row per rank: the sum 1/1 + 1/2 + ... + 1/rank
harmonics as (
    select i.i as rank, sum(coalesce(1e0 / nullif(i.i, 0), 0e0)) over (order by i.i asc) as harmonic
    from (select unnest(range(0, 10 + 1)) as i) as i
),

-- one row per model, user with a hit and cut-off: the statistics of the hits in the top k
hits_at_k as (
    select
        h.model,
        h.user_id,
        h.k,
        1e0 as any_hit,
        sum(h.gain) as cg,
        sum(h.gain * (1e0 / nullif(log2(h.rank + 1), 0))) as dcg,
        count(*) as distinct_hits,
        sum(h.reached * ((power(2e0, greatest(h.gain, 0e0)) - 1) / power(2e0, 10)) / nullif(h.rank, 0)) as expected_stop,
        min(h.rank) as first_rank,
        count(*) as hits,
        sum(h.gain * power(cast(0.8e0 as double), h.rank - 1)) as persistent_gain,
        sum(h.nth / nullif(cast(h.rank as double), 0)) as precision_sum,
        sum(upto.harmonic - before.harmonic) as precision_total,
        1e0 / nullif(min(h.rank), 0) as reciprocal_rank,
        sum(1 / nullif(cast(h.rank as double), 0)) as reciprocal_ranks
    from readings as h
    left join harmonics as upto on upto.rank = h.k
    left join harmonics as before on before.rank = h.rank - 1
    group by h.model, h.user_id, h.k
),

-- one row per list and cut-off with judged items in the top k: the number of these, or its expected value
judgements as (
    select
        o.model,
        o.user_id,
        c.k,
        count(*) as items
    from (
        select r.model, r.user_id, min(r.rank) as rank
        from recommended as r
        inner join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
        group by r.model, r.user_id, r.item_id
    ) as o
    inner join cutoffs as c on c.k >= o.rank
    group by o.model, o.user_id, c.k
),

-- one row per list and item in the list that is judged not relevant, at its best rank
rejected as (
    select r.model, r.user_id, r.item_id, min(r.rank) as rank
    from recommended as r
    inner join judged as j on j.user_id = r.user_id and j.item_id = r.item_id
    where not (j.relevance > 0)
    group by r.model, r.user_id, r.item_id
),

-- one row per user: the number of items that are judged not relevant
rejections as (
    select j.user_id, count(*) as items
    from judged as j
    where not (j.relevance > 0)
    group by j.user_id
),

-- one row per hit: the number of items above it that are judged not relevant
preferences as (
    select
        p.model,
        p.user_id,
        p.nth,
        p.above
    from (
        select
            o.model,
            o.user_id,
            o.nth,
            count(case when o.nth is null then 1 end) over (partition by o.model, o.user_id order by o.rank asc) as above
        from (
            select h.model, h.user_id, h.rank, h.nth
            from hits as h
            union all
            select r.model, r.user_id, r.rank, null as nth
            from rejected as r
        ) as o
    ) as p
    where p.nth is not null
),

-- one row per model, user with a hit and cut-off: the statistics of the hits in the whole list
hits_of_list as (
    select
        h.model,
        h.user_id,
        c.k,
        count(*) as hits_anywhere,
        count(case when h.rank <= v.relevant then 1 end) as hits_to_r_anywhere,
        sum(h.rank - h.nth) as irrelevant_above_anywhere,
        cast(sum(least(b.above, r.relevant)) as bigint) as preceded
    from hits as h
    cross join cutoffs as c
    inner join users as v on v.user_id = h.user_id
    inner join preferences as b on b.model is not distinct from h.model and b.user_id = h.user_id and b.nth = h.nth
    inner join users as r on r.user_id = h.user_id
    group by h.model, h.user_id, c.k
),

-- one row per model and user with a list
lists as (
    select r.model, r.user_id, count(*) as returned, max(r.rank) as last_rank
    from given_recs as r
    group by r.model, r.user_id
),

-- one row per list whose ranks have gaps, with its ranks in order
gaps as (
    select i.model, i.user_id, list(i.rank order by i.rank asc) as ranks
    from (
        select r.model, r.user_id, r.item_id, min(r.rank) as rank
        from ranked as r
        inner join lists as l on l.model is not distinct from r.model and l.user_id = r.user_id
        where l.last_rank <> l.returned
        group by r.model, r.user_id, r.item_id, r.rank
    ) as i
    group by i.model, i.user_id
),

-- one row per model; one row without a name if nothing is recommended
models as (
    select distinct r.model
    from given_recs as r
    union all
    select cast(null as varchar) as model
    where not exists (select 1 from given_recs as r)
),

-- one row per model and user in the mean, with the number of relevant items
population as (
    select
        m.model,
        u.user_id,
        l.returned,
        g.ranks,
        u.relevant
    from models as m
    cross join users as u
    left join lists as l on l.model is not distinct from m.model and l.user_id = u.user_id
    left join gaps as g on g.model is not distinct from m.model and g.user_id = u.user_id
),

-- one row per model, cut-off and user in the mean: the columns of the user, and the statistics of the hits
users_at_k as (
    select
        u.model,
        u.user_id,
        c.k,
        h.any_hit,
        h.cg,
        h.dcg,
        h.distinct_hits,
        h.expected_stop,
        h.first_rank,
        h.hits,
        h.persistent_gain,
        h.precision_sum,
        h.precision_total,
        h.reciprocal_rank,
        h.reciprocal_ranks,
        u.returned, u.ranks, u.relevant
    from population as u
    cross join cutoffs as c
    left join hits_at_k as h on h.model is not distinct from u.model and h.user_id = u.user_id and h.k = c.k
),

-- one row per model, cut-off and user: the statistics that the metrics read
at_k as (
    select
        u.model,
        u.user_id,
        u.k,
        coalesce(u.any_hit, 0e0) as any_hit,
        coalesce(u.cg, 0e0) as cg,
        coalesce(u.dcg, 0e0) as dcg,
        coalesce(u.distinct_hits, 0) as distinct_hits,
        coalesce(u.expected_stop, 0e0) as expected_stop,
        u.first_rank,
        coalesce(u.hits, 0) as hits,
        coalesce(u.persistent_gain, 0e0) as persistent_gain,
        coalesce(u.precision_sum, 0e0) as precision_sum,
        coalesce(u.precision_total, 0e0) as precision_total,
        u.reciprocal_rank,
        coalesce(u.reciprocal_ranks, 0e0) as reciprocal_ranks,
        coalesce(w.hits_anywhere, 0) as hits_anywhere,
        coalesce(w.hits_to_r_anywhere, 0) as hits_to_r_anywhere,
        coalesce(w.irrelevant_above_anywhere, 0e0) as irrelevant_above_anywhere,
        coalesce(w.preceded, 0) as preceded,
        coalesce(list_sum(list_slice(i.weights, 1, u.k)), 0e0) as idcg,
        coalesce(o.items, 0) as judged,
        coalesce(u.returned, 0) as list_length,
        coalesce(j.items, 0) as not_relevant,
        coalesce(u.relevant, 0) as relevant,
        coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)) as returned,
        cast(10506 as double) as catalog_size

    from users_at_k as u
    left join hits_of_list as w on w.model is not distinct from u.model and w.user_id = u.user_id and w.k = u.k
    left join ideals as i on i.user_id = u.user_id
    left join judgements as o on o.model is not distinct from u.model and o.user_id = u.user_id and o.k = u.k
    left join rejections as j on j.user_id = u.user_id
),

-- one row per model, cut-off and user: the metrics
per_user as (
    select
        s.model,
        s.user_id,
        s.k,
        (s.hits + case
            when s.catalog_size >= s.returned + s.relevant - s.distinct_hits
                then s.catalog_size - cast(s.returned + s.relevant - s.distinct_hits as double)
            when s.catalog_size < s.returned + s.relevant - s.distinct_hits
                then null
        end) / s.catalog_size as accuracy,
        coalesce(s.precision_sum / nullif(least(s.k, s.relevant), 0), 0e0) as ap,
        coalesce(s.reciprocal_ranks, 0e0) as arhr,
        case
            when s.list_length - s.hits_anywhere <= (s.catalog_size - s.relevant)
                then coalesce(
                    (
                        s.hits_anywhere * (s.catalog_size - s.relevant) - s.irrelevant_above_anywhere
                        + greatest(s.relevant - s.hits_anywhere, 0) * ((s.catalog_size - s.relevant) - (s.list_length - s.hits_anywhere)) / 2e0
                    ) / cast(nullif(s.relevant * (s.catalog_size - s.relevant), 0) as double),
                    least(cast(s.hits_anywhere as double), 1e0)
                )
            when s.list_length - s.hits_anywhere > (s.catalog_size - s.relevant)
                then null
        end as auc,
        (1 - cast(s.relevant - s.distinct_hits as double) / cast(nullif(s.relevant, 0) as double) + 1 - case
                when case
                        when s.catalog_size >= s.returned + s.relevant - s.distinct_hits
                            then s.catalog_size - cast(s.returned + s.relevant - s.distinct_hits as double)
                        when s.catalog_size < s.returned + s.relevant - s.distinct_hits
                            then null
                    end >= 0e0
                    then cast(s.returned - s.hits as double) / cast(nullif(s.catalog_size - s.relevant, 0) as double)
            end) / 2 as balanced_accuracy,
        (s.hits_anywhere - coalesce(s.preceded / cast(nullif(least(s.not_relevant, s.relevant), 0) as double), 0e0)) / cast(nullif(s.relevant, 0) as double) as bpref,
        s.cg as cg,
        s.dcg as dcg,
        coalesce(s.expected_stop, 0e0) as err,
        coalesce((1 + power(cast(1 as double), 2)) / (
            power(cast(1 as double), 2) / nullif(coalesce(s.hits / cast(nullif(s.relevant, 0) as double), 0e0), 0e0)
            + 1 / nullif(coalesce(s.hits / cast(s.k as double), 0e0), 0e0)
        ), 0e0) as f1,
        case
            when case
                    when s.catalog_size >= s.returned + s.relevant - s.distinct_hits
                        then s.catalog_size - cast(s.returned + s.relevant - s.distinct_hits as double)
                    when s.catalog_size < s.returned + s.relevant - s.distinct_hits
                        then null
                end >= 0e0
                then cast(s.returned - s.hits as double) / cast(nullif(s.catalog_size - s.relevant, 0) as double)
        end as fallout,
        cast(s.first_rank as double) as first_rank,
        cast(s.relevant - s.distinct_hits as double) as fn,
        cast(s.returned - s.hits as double) as fp,
        s.any_hit as hit,
        cast(s.hits as double) as hits,
        s.idcg as idcg,
        coalesce(s.judged / cast(nullif(s.returned, 0) as double), 0e0) as judged,
        case
            when case
                    when s.catalog_size >= s.returned + s.relevant - s.distinct_hits
                        then s.catalog_size - cast(s.returned + s.relevant - s.distinct_hits as double)
                    when s.catalog_size < s.returned + s.relevant - s.distinct_hits
                        then null
                end >= 0e0
                then coalesce(
                    (s.hits * s.catalog_size - s.returned * (s.relevant + (s.hits - s.distinct_hits)))
                    / nullif(
                        sqrt(
                            (s.returned * (s.catalog_size - s.returned))
                            * ((s.relevant + (s.hits - s.distinct_hits)) * (s.catalog_size - (s.relevant + (s.hits - s.distinct_hits))))
                        ),
                        0e0
                    ),
                    0e0
                )
        end as mcc,
        coalesce(s.precision_total / s.k, 0e0) as mean_precision,
        cast(s.relevant - s.distinct_hits as double) / cast(nullif(s.relevant, 0) as double) as miss_rate,
        s.dcg / nullif(s.idcg, 0e0) as ndcg,
        case
            when s.catalog_size >= s.returned + s.relevant - s.distinct_hits
                then s.catalog_size - cast(s.returned + s.relevant - s.distinct_hits as double)
            when s.catalog_size < s.returned + s.relevant - s.distinct_hits
                then null
        end / cast(nullif(s.catalog_size - s.returned, 0) as double) as npv,
        case
            when s.list_length = 0
                then 5e1
            when s.catalog_size >= s.list_length + s.relevant - s.hits_anywhere
                then
                    1e2 * (
                        s.irrelevant_above_anywhere
                        + s.hits_anywhere * (s.hits_anywhere - 1) / 2e0
                        + greatest(s.relevant - s.hits_anywhere, 0) * (s.list_length - 1 + s.catalog_size) / 2e0
                    ) / nullif(s.relevant * s.catalog_size, 0e0)
            when s.catalog_size < s.list_length + s.relevant - s.hits_anywhere
                then null
        end as percentile_rank,
        coalesce(s.hits / cast(s.k as double), 0e0) as precision,
        coalesce(s.hits_to_r_anywhere / cast(nullif(s.relevant, 0) as double), 0e0) as r_precision,
        coalesce((1 - cast(0.8e0 as double)) * s.persistent_gain, 0e0) as rbp,
        coalesce(s.hits / cast(nullif(s.relevant, 0) as double), 0e0) as recall,
        coalesce(s.reciprocal_rank, 0e0) as rr,
        1 - case
            when case
                    when s.catalog_size >= s.returned + s.relevant - s.distinct_hits
                        then s.catalog_size - cast(s.returned + s.relevant - s.distinct_hits as double)
                    when s.catalog_size < s.returned + s.relevant - s.distinct_hits
                        then null
                end >= 0e0
                then cast(s.returned - s.hits as double) / cast(nullif(s.catalog_size - s.relevant, 0) as double)
        end as specificity,
        case
            when s.catalog_size >= s.returned + s.relevant - s.distinct_hits
                then s.catalog_size - cast(s.returned + s.relevant - s.distinct_hits as double)
            when s.catalog_size < s.returned + s.relevant - s.distinct_hits
                then null
        end as tn,
        cast(s.hits as double) as tp
    from at_k as s
),

-- one row per model and cut-off: the sums of the metrics over users, and the numbers of users without a value
totals as (
    select
        p.model,
        p.k,
        sum(p.accuracy) as accuracy,
        count(*) - count(p.accuracy) as accuracy_missing,
        sum(p.ap) as ap,
        count(*) - count(p.ap) as ap_missing,
        sum(p.arhr) as arhr,
        count(*) - count(p.arhr) as arhr_missing,
        sum(p.auc) as auc,
        count(*) - count(p.auc) as auc_missing,
        sum(p.balanced_accuracy) as balanced_accuracy,
        count(*) - count(p.balanced_accuracy) as balanced_accuracy_missing,
        sum(p.bpref) as bpref,
        count(*) - count(p.bpref) as bpref_missing,
        sum(p.cg) as cg,
        count(*) - count(p.cg) as cg_missing,
        sum(p.dcg) as dcg,
        count(*) - count(p.dcg) as dcg_missing,
        sum(p.err) as err,
        count(*) - count(p.err) as err_missing,
        sum(p.f1) as f1,
        count(*) - count(p.f1) as f1_missing,
        sum(p.fallout) as fallout,
        count(*) - count(p.fallout) as fallout_missing,
        sum(p.first_rank) as first_rank,
        count(*) - count(p.first_rank) as first_rank_missing,
        sum(p.fn) as fn,
        count(*) - count(p.fn) as fn_missing,
        sum(p.fp) as fp,
        count(*) - count(p.fp) as fp_missing,
        sum(p.hit) as hit,
        count(*) - count(p.hit) as hit_missing,
        sum(p.hits) as hits,
        count(*) - count(p.hits) as hits_missing,
        sum(p.idcg) as idcg,
        count(*) - count(p.idcg) as idcg_missing,
        sum(p.judged) as judged,
        count(*) - count(p.judged) as judged_missing,
        sum(p.mcc) as mcc,
        count(*) - count(p.mcc) as mcc_missing,
        sum(p.mean_precision) as mean_precision,
        count(*) - count(p.mean_precision) as mean_precision_missing,
        sum(p.miss_rate) as miss_rate,
        count(*) - count(p.miss_rate) as miss_rate_missing,
        sum(p.ndcg) as ndcg,
        count(*) - count(p.ndcg) as ndcg_missing,
        sum(p.npv) as npv,
        count(*) - count(p.npv) as npv_missing,
        sum(p.percentile_rank) as percentile_rank,
        count(*) - count(p.percentile_rank) as percentile_rank_missing,
        sum(p.precision) as precision,
        count(*) - count(p.precision) as precision_missing,
        sum(p.r_precision) as r_precision,
        count(*) - count(p.r_precision) as r_precision_missing,
        sum(p.rbp) as rbp,
        count(*) - count(p.rbp) as rbp_missing,
        sum(p.recall) as recall,
        count(*) - count(p.recall) as recall_missing,
        sum(p.rr) as rr,
        count(*) - count(p.rr) as rr_missing,
        sum(p.specificity) as specificity,
        count(*) - count(p.specificity) as specificity_missing,
        sum(p.tn) as tn,
        count(*) - count(p.tn) as tn_missing,
        sum(p.tp) as tp,
        count(*) - count(p.tp) as tp_missing
    from per_user as p
    group by p.model, p.k
),

-- one row per model with users in the mean: the number of these users
headcount as (
    select u.model, count(*) as users
    from population as u
    group by u.model
),

-- one row per model with lists that count: the number of lists, and of those of users in the mean; with slices, of each segment
served as (
    select
        l.model,
        count(*) as lists,
        count(u.user_id) as in_mean
    from lists as l
    left join users as u on u.user_id = l.user_id
    group by l.model
),

-- one row per model: the number of users in the mean
census as (
    select m.model, coalesce(n.users, 0) as users, coalesce(v.in_mean, 0) as lists
    from models as m
    left join headcount as n on n.model is not distinct from m.model
    left join served as v on v.model is not distinct from m.model
),

-- one row per model and cut-off: the means of the metrics over users, and the numbers of these users
means as (
    select
        n.model,
        n.lists,
        c.k,
        coalesce(t.accuracy, 0e0) / nullif(n.users - coalesce(t.accuracy_missing, 0), 0) as accuracy,
        n.users - coalesce(t.accuracy_missing, 0) as accuracy_users,
        coalesce(t.ap, 0e0) / nullif(n.users - coalesce(t.ap_missing, 0), 0) as ap,
        n.users - coalesce(t.ap_missing, 0) as ap_users,
        coalesce(t.arhr, 0e0) / nullif(n.users - coalesce(t.arhr_missing, 0), 0) as arhr,
        n.users - coalesce(t.arhr_missing, 0) as arhr_users,
        coalesce(t.auc, 0e0) / nullif(n.users - coalesce(t.auc_missing, 0), 0) as auc,
        n.users - coalesce(t.auc_missing, 0) as auc_users,
        coalesce(t.balanced_accuracy, 0e0) / nullif(n.users - coalesce(t.balanced_accuracy_missing, 0), 0) as balanced_accuracy,
        n.users - coalesce(t.balanced_accuracy_missing, 0) as balanced_accuracy_users,
        coalesce(t.bpref, 0e0) / nullif(n.users - coalesce(t.bpref_missing, 0), 0) as bpref,
        n.users - coalesce(t.bpref_missing, 0) as bpref_users,
        coalesce(t.cg, 0e0) / nullif(n.users - coalesce(t.cg_missing, 0), 0) as cg,
        n.users - coalesce(t.cg_missing, 0) as cg_users,
        coalesce(t.dcg, 0e0) / nullif(n.users - coalesce(t.dcg_missing, 0), 0) as dcg,
        n.users - coalesce(t.dcg_missing, 0) as dcg_users,
        coalesce(t.err, 0e0) / nullif(n.users - coalesce(t.err_missing, 0), 0) as err,
        n.users - coalesce(t.err_missing, 0) as err_users,
        coalesce(t.f1, 0e0) / nullif(n.users - coalesce(t.f1_missing, 0), 0) as f1,
        n.users - coalesce(t.f1_missing, 0) as f1_users,
        coalesce(t.fallout, 0e0) / nullif(n.users - coalesce(t.fallout_missing, 0), 0) as fallout,
        n.users - coalesce(t.fallout_missing, 0) as fallout_users,
        coalesce(t.first_rank, 0e0) / nullif(n.users - coalesce(t.first_rank_missing, 0), 0) as first_rank,
        n.users - coalesce(t.first_rank_missing, 0) as first_rank_users,
        coalesce(t.fn, 0e0) / nullif(n.users - coalesce(t.fn_missing, 0), 0) as fn,
        n.users - coalesce(t.fn_missing, 0) as fn_users,
        coalesce(t.fp, 0e0) / nullif(n.users - coalesce(t.fp_missing, 0), 0) as fp,
        n.users - coalesce(t.fp_missing, 0) as fp_users,
        coalesce(t.hit, 0e0) / nullif(n.users - coalesce(t.hit_missing, 0), 0) as hit,
        n.users - coalesce(t.hit_missing, 0) as hit_users,
        coalesce(t.hits, 0e0) / nullif(n.users - coalesce(t.hits_missing, 0), 0) as hits,
        n.users - coalesce(t.hits_missing, 0) as hits_users,
        coalesce(t.idcg, 0e0) / nullif(n.users - coalesce(t.idcg_missing, 0), 0) as idcg,
        n.users - coalesce(t.idcg_missing, 0) as idcg_users,
        coalesce(t.judged, 0e0) / nullif(n.users - coalesce(t.judged_missing, 0), 0) as judged,
        n.users - coalesce(t.judged_missing, 0) as judged_users,
        coalesce(t.mcc, 0e0) / nullif(n.users - coalesce(t.mcc_missing, 0), 0) as mcc,
        n.users - coalesce(t.mcc_missing, 0) as mcc_users,
        coalesce(t.mean_precision, 0e0) / nullif(n.users - coalesce(t.mean_precision_missing, 0), 0) as mean_precision,
        n.users - coalesce(t.mean_precision_missing, 0) as mean_precision_users,
        coalesce(t.miss_rate, 0e0) / nullif(n.users - coalesce(t.miss_rate_missing, 0), 0) as miss_rate,
        n.users - coalesce(t.miss_rate_missing, 0) as miss_rate_users,
        coalesce(t.ndcg, 0e0) / nullif(n.users - coalesce(t.ndcg_missing, 0), 0) as ndcg,
        n.users - coalesce(t.ndcg_missing, 0) as ndcg_users,
        coalesce(t.npv, 0e0) / nullif(n.users - coalesce(t.npv_missing, 0), 0) as npv,
        n.users - coalesce(t.npv_missing, 0) as npv_users,
        coalesce(t.percentile_rank, 0e0) / nullif(n.users - coalesce(t.percentile_rank_missing, 0), 0) as percentile_rank,
        n.users - coalesce(t.percentile_rank_missing, 0) as percentile_rank_users,
        coalesce(t.precision, 0e0) / nullif(n.users - coalesce(t.precision_missing, 0), 0) as precision,
        n.users - coalesce(t.precision_missing, 0) as precision_users,
        coalesce(t.r_precision, 0e0) / nullif(n.users - coalesce(t.r_precision_missing, 0), 0) as r_precision,
        n.users - coalesce(t.r_precision_missing, 0) as r_precision_users,
        coalesce(t.rbp, 0e0) / nullif(n.users - coalesce(t.rbp_missing, 0), 0) as rbp,
        n.users - coalesce(t.rbp_missing, 0) as rbp_users,
        coalesce(t.recall, 0e0) / nullif(n.users - coalesce(t.recall_missing, 0), 0) as recall,
        n.users - coalesce(t.recall_missing, 0) as recall_users,
        coalesce(t.rr, 0e0) / nullif(n.users - coalesce(t.rr_missing, 0), 0) as rr,
        n.users - coalesce(t.rr_missing, 0) as rr_users,
        coalesce(t.specificity, 0e0) / nullif(n.users - coalesce(t.specificity_missing, 0), 0) as specificity,
        n.users - coalesce(t.specificity_missing, 0) as specificity_users,
        coalesce(t.tn, 0e0) / nullif(n.users - coalesce(t.tn_missing, 0), 0) as tn,
        n.users - coalesce(t.tn_missing, 0) as tn_users,
        coalesce(t.tp, 0e0) / nullif(n.users - coalesce(t.tp_missing, 0), 0) as tp,
        n.users - coalesce(t.tp_missing, 0) as tp_users
    from census as n
    cross join cutoffs as c
    left join totals as t on t.model is not distinct from n.model and t.k = c.k
),

-- one row per requested metric, with its place in the request
asked as (
    select 1 as place, 'accuracy' as metric, 'accuracy' as definition
    union all
    select 2 as place, 'ap' as metric, 'ap' as definition
    union all
    select 3 as place, 'arhr' as metric, 'arhr' as definition
    union all
    select 4 as place, 'auc' as metric, 'auc' as definition
    union all
    select 5 as place, 'balanced_accuracy' as metric, 'balanced_accuracy' as definition
    union all
    select 6 as place, 'bpref' as metric, 'bpref' as definition
    union all
    select 7 as place, 'cg' as metric, 'cg' as definition
    union all
    select 8 as place, 'dcg' as metric, 'dcg' as definition
    union all
    select 9 as place, 'err' as metric, 'err(max_grade=10)' as definition
    union all
    select 10 as place, 'f1' as metric, 'f1' as definition
    union all
    select 11 as place, 'fallout' as metric, 'fallout' as definition
    union all
    select 12 as place, 'first_rank' as metric, 'first_rank' as definition
    union all
    select 13 as place, 'fn' as metric, 'fn' as definition
    union all
    select 14 as place, 'fp' as metric, 'fp' as definition
    union all
    select 15 as place, 'hit' as metric, 'hit' as definition
    union all
    select 16 as place, 'hits' as metric, 'hits' as definition
    union all
    select 17 as place, 'idcg' as metric, 'idcg' as definition
    union all
    select 18 as place, 'judged' as metric, 'judged' as definition
    union all
    select 19 as place, 'mcc' as metric, 'mcc' as definition
    union all
    select 20 as place, 'mean_precision' as metric, 'mean_precision' as definition
    union all
    select 21 as place, 'miss_rate' as metric, 'miss_rate' as definition
    union all
    select 22 as place, 'ndcg' as metric, 'ndcg' as definition
    union all
    select 23 as place, 'npv' as metric, 'npv' as definition
    union all
    select 24 as place, 'percentile_rank' as metric, 'percentile_rank' as definition
    union all
    select 25 as place, 'precision' as metric, 'precision' as definition
    union all
    select 26 as place, 'r_precision' as metric, 'r_precision' as definition
    union all
    select 27 as place, 'rbp' as metric, 'rbp' as definition
    union all
    select 28 as place, 'recall' as metric, 'recall' as definition
    union all
    select 29 as place, 'rr' as metric, 'rr' as definition
    union all
    select 30 as place, 'specificity' as metric, 'specificity' as definition
    union all
    select 31 as place, 'tn' as metric, 'tn' as definition
    union all
    select 32 as place, 'tp' as metric, 'tp' as definition
),

-- one row per model, metric and cut-off
summary as (
    select
        m.model,
        a.metric,
        m.k,
        case a.place
            when 1 then m.accuracy
            when 2 then m.ap
            when 3 then m.arhr
            when 4 then m.auc
            when 5 then m.balanced_accuracy
            when 6 then m.bpref
            when 7 then m.cg
            when 8 then m.dcg
            when 9 then m.err
            when 10 then m.f1
            when 11 then m.fallout
            when 12 then m.first_rank
            when 13 then m.fn
            when 14 then m.fp
            when 15 then m.hit
            when 16 then m.hits
            when 17 then m.idcg
            when 18 then m.judged
            when 19 then m.mcc
            when 20 then m.mean_precision
            when 21 then m.miss_rate
            when 22 then m.ndcg
            when 23 then m.npv
            when 24 then m.percentile_rank
            when 25 then m.precision
            when 26 then m.r_precision
            when 27 then m.rbp
            when 28 then m.recall
            when 29 then m.rr
            when 30 then m.specificity
            when 31 then m.tn
            when 32 then m.tp
        end as value,
        case a.place
            when 1 then m.accuracy_users
            when 2 then m.ap_users
            when 3 then m.arhr_users
            when 4 then m.auc_users
            when 5 then m.balanced_accuracy_users
            when 6 then m.bpref_users
            when 7 then m.cg_users
            when 8 then m.dcg_users
            when 9 then m.err_users
            when 10 then m.f1_users
            when 11 then m.fallout_users
            when 12 then m.first_rank_users
            when 13 then m.fn_users
            when 14 then m.fp_users
            when 15 then m.hit_users
            when 16 then m.hits_users
            when 17 then m.idcg_users
            when 18 then m.judged_users
            when 19 then m.mcc_users
            when 20 then m.mean_precision_users
            when 21 then m.miss_rate_users
            when 22 then m.ndcg_users
            when 23 then m.npv_users
            when 24 then m.percentile_rank_users
            when 25 then m.precision_users
            when 26 then m.r_precision_users
            when 27 then m.rbp_users
            when 28 then m.recall_users
            when 29 then m.rr_users
            when 30 then m.specificity_users
            when 31 then m.tn_users
            when 32 then m.tp_users
        end as users,
        m.lists,
        a.place,
        a.definition
    from means as m
    cross join asked as a
)

select s.model, s.metric, s.k, s.value, s.users, s.lists, s.definition
from summary as s
order by s.model asc nulls first, s.place asc, s.k asc
