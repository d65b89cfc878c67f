with
-- one row per row of recs, with recsql's column names
given_recs as (
    select
        cast(r.model as varchar) as model,
        r.user_id,
        r.item_id,
        r.rank
    from read_parquet('examples/movietweetings/recs.parquet') as r
),

-- one row per row of truth, with recsql's column names
given_truth as (
    select
        t.user_id,
        t.item_id,
        cast(t.relevance as double) as relevance
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

-- one row per recommended item, up to the largest cut-off
recommended as (
    select r.model, r.user_id, r.item_id, r.rank
    from given_recs as r
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

-- one row per user with relevant items: the gains of the ideal list, from its top
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
        min_by(t.gain, r.rank) as gain
    from recommended as r
    inner join relevant as t on t.user_id = r.user_id and t.item_id = r.item_id
    group by r.model, r.user_id, r.item_id
),

-- one row per hit, numbered in list order
hits as (
    select
        f.model,
        f.user_id,
        f.rank,
        f.gain,
        row_number() over (partition by f.model, f.user_id order by f.rank asc, f.item_id asc) as nth
    from found as f
),

-- one row per hit and cut-off at which it counts
hits_in_force as (
    select h.model, h.user_id, c.k, h.rank, h.gain, h.nth
    from hits as h
    inner join cutoffs as c on c.k >= h.rank
),

-- one row per hit and cut-off at which it counts, with the probability that a reader gets to it
readings as (
    select
        h.model,
        h.user_id,
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
        coalesce(max(case when h.nth >= floor(v.relevant * cast(0.5e0 as double) + 5e-1) then h.nth / cast(h.rank as double) end), 0e0) as interpolated_precision,
        coalesce(max(case when h.nth >= floor(0e-1 * v.relevant + 5e-1) then h.nth / cast(h.rank as double) end), 0e0)
        + coalesce(max(case when h.nth >= floor(1e-1 * v.relevant + 5e-1) then h.nth / cast(h.rank as double) end), 0e0)
        + coalesce(max(case when h.nth >= floor(2e-1 * v.relevant + 5e-1) then h.nth / cast(h.rank as double) end), 0e0)
        + coalesce(max(case when h.nth >= floor(3e-1 * v.relevant + 5e-1) then h.nth / cast(h.rank as double) end), 0e0)
        + coalesce(max(case when h.nth >= floor(4e-1 * v.relevant + 5e-1) then h.nth / cast(h.rank as double) end), 0e0)
        + coalesce(max(case when h.nth >= floor(5e-1 * v.relevant + 5e-1) then h.nth / cast(h.rank as double) end), 0e0)
        + coalesce(max(case when h.nth >= floor(6e-1 * v.relevant + 5e-1) then h.nth / cast(h.rank as double) end), 0e0)
        + coalesce(max(case when h.nth >= floor(7e-1 * v.relevant + 5e-1) then h.nth / cast(h.rank as double) end), 0e0)
        + coalesce(max(case when h.nth >= floor(8e-1 * v.relevant + 5e-1) then h.nth / cast(h.rank as double) end), 0e0)
        + coalesce(max(case when h.nth >= floor(9e-1 * v.relevant + 5e-1) then h.nth / cast(h.rank as double) end), 0e0)
        + coalesce(max(case when h.nth >= floor(10e-1 * v.relevant + 5e-1) then h.nth / cast(h.rank as double) end), 0e0) as interpolated_precisions,
        sum(h.gain * power(cast(0.8e0 as double), h.rank - 1)) as persistent_gain,
        sum(h.nth / nullif(cast(h.rank as double), 0)) as precision_sum,
        sum(upto.harmonic - before.harmonic) as precision_total,
        1e0 / nullif(min(h.rank), 0) as reciprocal_rank,
        sum(1 / nullif(cast(h.rank as double), 0)) as reciprocal_ranks
    from readings as h
    inner join users as v on v.user_id = h.user_id
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
        count(*) as items,
        sum(power(cast(0.8e0 as double), o.rank - 1)) as persistence
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
        cast(sum(greatest(10 - (h.rank - h.nth), 0)) as bigint) as negatives_below,
        cast(sum(case when h.nth <= 10 then greatest(10 - (h.rank - h.nth), 0) else 0 end) as bigint) as negatives_below_first,
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
        from given_recs as r
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

-- one row per model and user in the mean
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

-- one row per model, cut-off and user in the mean: the statistics of the hits, NULL without a hit
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
        h.interpolated_precision,
        h.interpolated_precisions,
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
        coalesce(u.interpolated_precision, 0e0) as interpolated_precision,
        coalesce(u.interpolated_precisions, 0e0) as interpolated_precisions,
        coalesce(u.persistent_gain, 0e0) as persistent_gain,
        coalesce(u.precision_sum, 0e0) as precision_sum,
        coalesce(u.precision_total, 0e0) as precision_total,
        u.reciprocal_rank,
        coalesce(u.reciprocal_ranks, 0e0) as reciprocal_ranks,
        coalesce(w.hits_anywhere, 0) as hits_anywhere,
        coalesce(w.hits_to_r_anywhere, 0) as hits_to_r_anywhere,
        coalesce(w.irrelevant_above_anywhere, 0e0) as irrelevant_above_anywhere,
        coalesce(w.negatives_below, 0) as negatives_below,
        coalesce(w.negatives_below_first, 0) as negatives_below_first,
        coalesce(w.preceded, 0) as preceded,
        cast(10506 as double) as candidates,
        coalesce(list_sum(list_slice(i.weights, 1, u.k)), 0e0) as idcg,
        coalesce(o.items, 0) as judged,
        coalesce(o.persistence, 0e0) as judged_persistence,
        coalesce(u.returned, 0) as list_length,
        coalesce(j.items, 0) as not_relevant,
        u.relevant,
        coalesce(len(list_filter(u.ranks, lambda e: e <= u.k)), least(coalesce(u.returned, 0), u.k)) as returned
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
            when s.candidates >= s.returned + s.relevant - s.distinct_hits
                then s.candidates - cast(s.returned + s.relevant - s.distinct_hits as double)
            when s.candidates < s.returned + s.relevant - s.distinct_hits
                then null
        end) / s.candidates as accuracy,
        coalesce(s.precision_sum / nullif(least(s.k, s.relevant), 0), 0e0) as ap,
        coalesce(s.reciprocal_ranks, 0e0) as arhr,
        case
            when
                s.list_length - s.hits_anywhere <= (s.candidates - s.relevant)
                and s.irrelevant_above_anywhere <= s.hits_anywhere * (s.candidates - s.relevant)
                then coalesce(
                    (
                        s.hits_anywhere * (s.candidates - s.relevant) - s.irrelevant_above_anywhere
                        + greatest(s.relevant - s.hits_anywhere, 0) * ((s.candidates - s.relevant) - (s.list_length - s.hits_anywhere)) / 2e0
                    ) / cast(nullif(s.relevant * (s.candidates - s.relevant), 0) as double),
                    least(cast(s.hits_anywhere as double), 1e0)
                )
            when s.list_length - s.hits_anywhere > (s.candidates - s.relevant)
                then null
            when s.irrelevant_above_anywhere > s.hits_anywhere * (s.candidates - s.relevant)
                then null
        end as auc,
        (1 - cast(s.relevant - s.distinct_hits as double) / cast(nullif(s.relevant, 0) as double) + 1 - case
                when case
                        when s.candidates >= s.returned + s.relevant - s.distinct_hits
                            then s.candidates - cast(s.returned + s.relevant - s.distinct_hits as double)
                        when s.candidates < s.returned + s.relevant - s.distinct_hits
                            then null
                    end >= 0e0
                    then cast(s.returned - s.hits as double) / cast(nullif(s.candidates - s.relevant, 0) as double)
            end) / 2 as balanced_accuracy,
        (s.hits_anywhere - coalesce(s.preceded / cast(nullif(least(s.not_relevant, s.relevant), 0) as double), 0e0)) / cast(nullif(s.relevant, 0) as double) as bpref,
        s.cg,
        s.dcg,
        s.interpolated_precisions / 11 as eleven_point,
        coalesce(s.expected_stop, 0e0) as err,
        coalesce((1 + power(cast(1 as double), 2)) / (
            power(cast(1 as double), 2) / nullif(coalesce(s.hits / cast(nullif(s.relevant, 0) as double), 0e0), 0e0)
            + 1 / nullif(coalesce(s.hits / cast(s.k as double), 0e0), 0e0)
        ), 0e0) as f1,
        case
            when case
                    when s.candidates >= s.returned + s.relevant - s.distinct_hits
                        then s.candidates - cast(s.returned + s.relevant - s.distinct_hits as double)
                    when s.candidates < s.returned + s.relevant - s.distinct_hits
                        then null
                end >= 0e0
                then cast(s.returned - s.hits as double) / cast(nullif(s.candidates - s.relevant, 0) as double)
        end as fallout,
        cast(s.first_rank as double) as first_rank,
        cast(s.relevant - s.distinct_hits as double) as fn,
        cast(s.returned - s.hits as double) as fp,
        s.any_hit as hit,
        cast(s.hits as double) as hits,
        s.idcg,
        s.interpolated_precision,
        coalesce(s.judged / cast(nullif(s.returned, 0) as double), 0e0) as judged,
        case
            when case
                    when s.candidates >= s.returned + s.relevant - s.distinct_hits
                        then s.candidates - cast(s.returned + s.relevant - s.distinct_hits as double)
                    when s.candidates < s.returned + s.relevant - s.distinct_hits
                        then null
                end >= 0e0
                then coalesce(
                    (s.hits * s.candidates - s.returned * (s.relevant + (s.hits - s.distinct_hits)))
                    / nullif(
                        sqrt(
                            (s.returned * (s.candidates - s.returned))
                            * ((s.relevant + (s.hits - s.distinct_hits)) * (s.candidates - (s.relevant + (s.hits - s.distinct_hits))))
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
            when s.candidates >= s.returned + s.relevant - s.distinct_hits
                then s.candidates - cast(s.returned + s.relevant - s.distinct_hits as double)
            when s.candidates < s.returned + s.relevant - s.distinct_hits
                then null
        end / cast(nullif(s.candidates - s.returned, 0) as double) as npv,
        s.negatives_below_first / cast(nullif(least(s.relevant, 10) * 10, 0) as double) as pap,
        s.negatives_below / cast(nullif(s.relevant * 10, 0) as double) as pauc,
        case
            when s.list_length = 0
                then 5e1
            when
                s.candidates >= s.list_length + s.relevant - s.hits_anywhere
                and s.irrelevant_above_anywhere <= s.hits_anywhere * (s.candidates - s.relevant)
                then
                    1e2 * (
                        s.irrelevant_above_anywhere
                        + s.hits_anywhere * (s.hits_anywhere - 1) / 2e0
                        + greatest(s.relevant - s.hits_anywhere, 0) * (s.candidates + s.list_length - 1) / 2e0
                    ) / nullif(s.relevant * s.candidates, 0e0)
            when s.candidates < s.list_length + s.relevant - s.hits_anywhere
                then null
            when s.irrelevant_above_anywhere > s.hits_anywhere * (s.candidates - s.relevant)
                then null
        end as percentile_rank,
        coalesce(s.hits / cast(s.k as double), 0e0) as precision,
        coalesce(s.hits_to_r_anywhere / cast(nullif(s.relevant, 0) as double), 0e0) as r_precision,
        coalesce((1 - cast(0.8e0 as double)) * s.persistent_gain, 0e0) as rbp,
        1 - (1 - cast(0.8e0 as double)) * s.judged_persistence as rbp_residual,
        coalesce(s.hits / cast(nullif(s.relevant, 0) as double), 0e0) as recall,
        coalesce(s.reciprocal_rank, 0e0) as rr,
        1 - case
            when case
                    when s.candidates >= s.returned + s.relevant - s.distinct_hits
                        then s.candidates - cast(s.returned + s.relevant - s.distinct_hits as double)
                    when s.candidates < s.returned + s.relevant - s.distinct_hits
                        then null
                end >= 0e0
                then cast(s.returned - s.hits as double) / cast(nullif(s.candidates - s.relevant, 0) as double)
        end as specificity,
        case
            when s.candidates >= s.returned + s.relevant - s.distinct_hits
                then s.candidates - cast(s.returned + s.relevant - s.distinct_hits as double)
            when s.candidates < s.returned + s.relevant - s.distinct_hits
                then null
        end as tn,
        cast(s.hits as double) as tp,
        case when s.returned >= 1 then 1e0 else 0e0 end as user_coverage,
        1 * cast(s.hits as double)
        + -1 * cast(s.returned - s.hits as double) as utility
    from at_k as s
),

-- one row per model and cut-off: the number of lists, the mean of each metric, and the number of users with a value
means as (
    select
        p.model,
        p.k,
        count(l.user_id) as lists,
        avg(p.accuracy) as accuracy,
        count(p.accuracy) as accuracy_users,
        avg(p.ap) as ap,
        count(p.ap) as ap_users,
        avg(p.arhr) as arhr,
        count(p.arhr) as arhr_users,
        avg(p.auc) as auc,
        count(p.auc) as auc_users,
        avg(p.balanced_accuracy) as balanced_accuracy,
        count(p.balanced_accuracy) as balanced_accuracy_users,
        avg(p.bpref) as bpref,
        count(p.bpref) as bpref_users,
        avg(p.cg) as cg,
        count(p.cg) as cg_users,
        avg(p.dcg) as dcg,
        count(p.dcg) as dcg_users,
        avg(p.eleven_point) as eleven_point,
        count(p.eleven_point) as eleven_point_users,
        avg(p.err) as err,
        count(p.err) as err_users,
        avg(p.f1) as f1,
        count(p.f1) as f1_users,
        avg(p.fallout) as fallout,
        count(p.fallout) as fallout_users,
        avg(p.first_rank) as first_rank,
        count(p.first_rank) as first_rank_users,
        avg(p.fn) as fn,
        count(p.fn) as fn_users,
        avg(p.fp) as fp,
        count(p.fp) as fp_users,
        avg(p.hit) as hit,
        count(p.hit) as hit_users,
        avg(p.hits) as hits,
        count(p.hits) as hits_users,
        avg(p.idcg) as idcg,
        count(p.idcg) as idcg_users,
        avg(p.interpolated_precision) as interpolated_precision,
        count(p.interpolated_precision) as interpolated_precision_users,
        avg(p.judged) as judged,
        count(p.judged) as judged_users,
        avg(p.mcc) as mcc,
        count(p.mcc) as mcc_users,
        avg(p.mean_precision) as mean_precision,
        count(p.mean_precision) as mean_precision_users,
        avg(p.miss_rate) as miss_rate,
        count(p.miss_rate) as miss_rate_users,
        avg(p.ndcg) as ndcg,
        count(p.ndcg) as ndcg_users,
        avg(p.npv) as npv,
        count(p.npv) as npv_users,
        avg(p.pap) as pap,
        count(p.pap) as pap_users,
        avg(p.pauc) as pauc,
        count(p.pauc) as pauc_users,
        avg(p.percentile_rank) as percentile_rank,
        count(p.percentile_rank) as percentile_rank_users,
        avg(p.precision) as precision,
        count(p.precision) as precision_users,
        avg(p.r_precision) as r_precision,
        count(p.r_precision) as r_precision_users,
        avg(p.rbp) as rbp,
        count(p.rbp) as rbp_users,
        avg(p.rbp_residual) as rbp_residual,
        count(p.rbp_residual) as rbp_residual_users,
        avg(p.recall) as recall,
        count(p.recall) as recall_users,
        avg(p.rr) as rr,
        count(p.rr) as rr_users,
        avg(p.specificity) as specificity,
        count(p.specificity) as specificity_users,
        avg(p.tn) as tn,
        count(p.tn) as tn_users,
        avg(p.tp) as tp,
        count(p.tp) as tp_users,
        avg(p.user_coverage) as user_coverage,
        count(p.user_coverage) as user_coverage_users,
        avg(p.utility) as utility,
        count(p.utility) as utility_users
    from per_user as p
    left join lists as l on l.model is not distinct from p.model and l.user_id = p.user_id
    group by p.model, p.k
),

-- one row per model, metric and cut-off
summary as (
    select m.model, 'accuracy' as metric, m.k, m.accuracy as value, m.accuracy_users as users, m.lists, 1 as place, 'accuracy' as definition
    from means as m
    union all
    select m.model, 'ap' as metric, m.k, m.ap as value, m.ap_users as users, m.lists, 2 as place, 'ap' as definition
    from means as m
    union all
    select m.model, 'arhr' as metric, m.k, m.arhr as value, m.arhr_users as users, m.lists, 3 as place, 'arhr' as definition
    from means as m
    union all
    select m.model, 'auc' as metric, m.k, m.auc as value, m.auc_users as users, m.lists, 4 as place, 'auc' as definition
    from means as m
    union all
    select m.model, 'balanced_accuracy' as metric, m.k, m.balanced_accuracy as value, m.balanced_accuracy_users as users, m.lists, 5 as place, 'balanced_accuracy' as definition
    from means as m
    union all
    select m.model, 'bpref' as metric, m.k, m.bpref as value, m.bpref_users as users, m.lists, 6 as place, 'bpref' as definition
    from means as m
    union all
    select m.model, 'cg' as metric, m.k, m.cg as value, m.cg_users as users, m.lists, 7 as place, 'cg' as definition
    from means as m
    union all
    select m.model, 'dcg' as metric, m.k, m.dcg as value, m.dcg_users as users, m.lists, 8 as place, 'dcg' as definition
    from means as m
    union all
    select m.model, 'eleven_point' as metric, m.k, m.eleven_point as value, m.eleven_point_users as users, m.lists, 9 as place, 'eleven_point' as definition
    from means as m
    union all
    select m.model, 'err' as metric, m.k, m.err as value, m.err_users as users, m.lists, 10 as place, 'err(max_grade=10)' as definition
    from means as m
    union all
    select m.model, 'f1' as metric, m.k, m.f1 as value, m.f1_users as users, m.lists, 11 as place, 'f1' as definition
    from means as m
    union all
    select m.model, 'fallout' as metric, m.k, m.fallout as value, m.fallout_users as users, m.lists, 12 as place, 'fallout' as definition
    from means as m
    union all
    select m.model, 'first_rank' as metric, m.k, m.first_rank as value, m.first_rank_users as users, m.lists, 13 as place, 'first_rank' as definition
    from means as m
    union all
    select m.model, 'fn' as metric, m.k, m.fn as value, m.fn_users as users, m.lists, 14 as place, 'fn' as definition
    from means as m
    union all
    select m.model, 'fp' as metric, m.k, m.fp as value, m.fp_users as users, m.lists, 15 as place, 'fp' as definition
    from means as m
    union all
    select m.model, 'hit' as metric, m.k, m.hit as value, m.hit_users as users, m.lists, 16 as place, 'hit' as definition
    from means as m
    union all
    select m.model, 'hits' as metric, m.k, m.hits as value, m.hits_users as users, m.lists, 17 as place, 'hits' as definition
    from means as m
    union all
    select m.model, 'idcg' as metric, m.k, m.idcg as value, m.idcg_users as users, m.lists, 18 as place, 'idcg' as definition
    from means as m
    union all
    select m.model, 'interpolated_precision' as metric, m.k, m.interpolated_precision as value, m.interpolated_precision_users as users, m.lists, 19 as place, 'interpolated_precision' as definition
    from means as m
    union all
    select m.model, 'judged' as metric, m.k, m.judged as value, m.judged_users as users, m.lists, 20 as place, 'judged' as definition
    from means as m
    union all
    select m.model, 'mcc' as metric, m.k, m.mcc as value, m.mcc_users as users, m.lists, 21 as place, 'mcc' as definition
    from means as m
    union all
    select m.model, 'mean_precision' as metric, m.k, m.mean_precision as value, m.mean_precision_users as users, m.lists, 22 as place, 'mean_precision' as definition
    from means as m
    union all
    select m.model, 'miss_rate' as metric, m.k, m.miss_rate as value, m.miss_rate_users as users, m.lists, 23 as place, 'miss_rate' as definition
    from means as m
    union all
    select m.model, 'ndcg' as metric, m.k, m.ndcg as value, m.ndcg_users as users, m.lists, 24 as place, 'ndcg' as definition
    from means as m
    union all
    select m.model, 'npv' as metric, m.k, m.npv as value, m.npv_users as users, m.lists, 25 as place, 'npv' as definition
    from means as m
    union all
    select m.model, 'pap' as metric, m.k, m.pap as value, m.pap_users as users, m.lists, 26 as place, 'pap' as definition
    from means as m
    union all
    select m.model, 'pauc' as metric, m.k, m.pauc as value, m.pauc_users as users, m.lists, 27 as place, 'pauc' as definition
    from means as m
    union all
    select m.model, 'percentile_rank' as metric, m.k, m.percentile_rank as value, m.percentile_rank_users as users, m.lists, 28 as place, 'percentile_rank' as definition
    from means as m
    union all
    select m.model, 'precision' as metric, m.k, m.precision as value, m.precision_users as users, m.lists, 29 as place, 'precision' as definition
    from means as m
    union all
    select m.model, 'r_precision' as metric, m.k, m.r_precision as value, m.r_precision_users as users, m.lists, 30 as place, 'r_precision' as definition
    from means as m
    union all
    select m.model, 'rbp' as metric, m.k, m.rbp as value, m.rbp_users as users, m.lists, 31 as place, 'rbp' as definition
    from means as m
    union all
    select m.model, 'rbp_residual' as metric, m.k, m.rbp_residual as value, m.rbp_residual_users as users, m.lists, 32 as place, 'rbp_residual' as definition
    from means as m
    union all
    select m.model, 'recall' as metric, m.k, m.recall as value, m.recall_users as users, m.lists, 33 as place, 'recall' as definition
    from means as m
    union all
    select m.model, 'rr' as metric, m.k, m.rr as value, m.rr_users as users, m.lists, 34 as place, 'rr' as definition
    from means as m
    union all
    select m.model, 'specificity' as metric, m.k, m.specificity as value, m.specificity_users as users, m.lists, 35 as place, 'specificity' as definition
    from means as m
    union all
    select m.model, 'tn' as metric, m.k, m.tn as value, m.tn_users as users, m.lists, 36 as place, 'tn' as definition
    from means as m
    union all
    select m.model, 'tp' as metric, m.k, m.tp as value, m.tp_users as users, m.lists, 37 as place, 'tp' as definition
    from means as m
    union all
    select m.model, 'user_coverage' as metric, m.k, m.user_coverage as value, m.user_coverage_users as users, m.lists, 38 as place, 'user_coverage' as definition
    from means as m
    union all
    select m.model, 'utility' as metric, m.k, m.utility as value, m.utility_users as users, m.lists, 39 as place, 'utility' as definition
    from means as m
)

select s.model, s.metric, s.k, s.value, s.users, s.lists, s.definition
from summary as s
order by s.model asc nulls first, s.place asc, s.k asc
