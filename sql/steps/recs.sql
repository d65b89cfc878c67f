{#
The lists: which rows of recs count, and their ranks.

Goes in: given_recs; with the options seen, candidates and judged_only also train, the candidates and the truth. Comes
out: recommended, one row per recommended item up to the largest cut-off, with its rank. By score, the fast flow ranks
only items that may be relevant.
#}
{# By score, only items that may be relevant need a rank: not if all items count, or the order of those before them. #}
{% set all_items = of_items or lists_summed or needs.ranks or needs.preferences or needs.judgements or closed_up %}
{% set other_copies = duplicates == "last" or (unordered and duplicates in ["hole", "count", "set"]) %}
{% set ranks_of_hits = (
    fast
    and not (of_spans or budgeted)
    and rank_by == "score"
    and (target in ["evaluate", "per_user", "partial"] or of_pairs)
    and not (all_items or other_copies or ties == "error")
) %}

-- name: seen_items
{#
row = "one row per user and recommended item that the user has in train"
#}
select distinct r.user_id, r.item_id
from given_recs as r
inner join given_train as t on t.user_id = r.user_id and t.item_id = r.item_id
{{- guard("id_types", left="recs", right="train", columns=["user_id", "item_id"], before="where") }}

-- name: unseen_recs
{#
row = "one row per row of recs whose item the user does not have in train, with its rank among these"
inline = true
also = "item"

[options.seen]
about = "what happens to a recommended item that the user already has in train, which needs a column user_id"
topic = "duplicates"
default = "keep"

[options.seen.values]
keep = "it counts as any other item"
drop = "it is removed from the list, and later items move up"
error = "an error"
#}
{{ closed_recs(rows="given_recs", others="seen_items as s on s.user_id = r.user_id and s.item_id = r.item_id", kept="s.item_id is null", gone="s.item_id is not null", named_as="is_unseen") }}

-- name: candidate_items
{#
row = "one row per user and recommended item that is a candidate of the user"
#}
select distinct r.user_id, r.item_id
from given_recs as r
inner join given_candidates as c on c.user_id = r.user_id and c.item_id = r.item_id
{{- guard("id_types", left="recs", right="candidates", columns=["user_id", "item_id"], before="where") }}

-- name: candidate_recs
{#
row = "one row per row of recs whose item is a candidate of the user, with its rank among these"
inline = true
also = "item"

[options.candidates]
about = "a table of user_id and item_id: users' lists are ranked anew with only these items; by default, every item counts"
topic = "duplicates"
type = "table"
word = "given"
#}
{# The given ranks may be from the full catalogue, with gaps between candidates. #}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.item_id,
    rank() over (partition by {{ model("r") }}r.user_id order by r.rank asc) as rank,
    r.score{% if any_order %},
    r.rank_by{% endif %}{{ further("r") }}
from {{ "unseen_recs" if unseen_alone else "given_recs" }} as r
inner join candidate_items as c on c.user_id = r.user_id and c.item_id = r.item_id

-- name: judged
{#
row = "one row per user and item of the truth, with its highest relevance"
#}
select t.user_id, t.item_id, max(t.relevance) as relevance
from given_truth as t
where t.item_id is not null{{ guard("id_types", left="recs", right="truth", columns=["user_id", "item_id"]) | indent }}
group by t.user_id, t.item_id

-- name: judged_recs
{#
row = "one row per row of recs whose item is judged, with its rank among these"
inline = true
also = "item"

[options.judged_only]
about = "whether items without a row in the user's truth are removed from the list"
topic = "duplicates"
default = "false"

[options.judged_only.values]
false = "they stay, and count as not relevant"
true = "they are removed, and later items move up"
#}
{{ closed_recs(rows=narrowed_recs, others="judged as j on j.user_id = r.user_id and j.item_id = r.item_id", kept="j.item_id is not null", gone="j.item_id is null", named_as="is_judged") }}

-- name: fingerprints (fast)
{#
kept = true
sized = true
row = "one row per user with relevant items: two bit masks of the items, the profile of the gains, the number of rows"
safe = "a mask only leaves out what can't be a hit, and the join with the truth decides. Hashes of 64 bits add up to the profile: of two users with other gains, it is the same with a chance of 1 in 10^19. now() is one moment for the whole query, and salts the hashes, so that nobody can make such gains; it changes no value"
#}
{# Bloom 1970. Equal integers of different types hash differently. The empty part of the union gives ids the common type of both tables. #}
select
    t.user_id,
    bit_or({{ sql.bit("t.item_id", 1) }}) as bits,
    bit_or({{ sql.bit("t.item_id", 2) }}) as other_bits,
{% if ideals %}
    {{ sql.profile("t.relevance") }} as profile,
{% endif %}
    count(*) as stated
from (
    select t.user_id, t.item_id{{ ", t.relevance" if ideals }}
    from given_truth as t
    where {{ is_relevant() | indent }}{{ guard("id_types", left="recs", right="truth", columns=["user_id", "item_id"]) | indent(8) }}
{% if "recs" in tables %}
    union all
    select r.user_id, r.item_id{{ ", null as relevance" if ideals }}
    from given_recs as r
    where false
{% endif %}
) as t
group by t.user_id

-- name: likely_hits (fast)
{#
row = "one row per possibly relevant recommended item, with its score"
kept = true
sized = true
#}
select {{ model("r") }}r.user_id, r.item_id, r.score
from (
    select {{ model("r") }}r.user_id, r.item_id, r.score
    from given_recs as r
    union all
    select {{ "null as model, " if modelled }}t.user_id, t.item_id, null as score
    from given_truth as t
    where false
) as r
{{ bits_set() }}

-- name: floors (fast)
{#
row = "one row per list with a possibly relevant item: the worst score of such items; items with a worse one need no rank"
#}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    {{ "min" if order == "desc" else "max" }}(r.score) as score
from likely_hits as r
group by {{ model("r") }}r.user_id

-- name: contenders (fast)
{#
row = "one row per row of recs that needs a rank: its score reaches the floor of its list"
buys = "with floors: six metrics of 10 million rows by score take 1.6 CPU seconds instead of 2.6 if ten items share a score, and 2.0 without ties"
inline = true
#}
select r.*
from {{ recs }} as r
inner join floors as f on {{ same_model("f", "r") }}f.user_id = r.user_id and r.score {{ better }}= f.score

-- name: scored
{#
row = "one row per scored item, ranked by its score"
inline = true
also = "item overlap"

[options.ties]
about = "the order of items with the same score in a list"
also = "fusion"
topic = "ties"
default = "item_asc"

[options.ties.values]
item_asc = "the smaller item id comes first"
item_desc = "the larger item id comes first"
input = "the smaller value in the column rank comes first"
expected = "all orders are equally likely: each metric is its mean over them"
best = "relevant items come first, the best order for the list"
worst = "relevant items come last, the worst order for the list"
error = "an error"

[options.order]
about = "which end of the column score is the best"
topic = "ties"
default = "desc"

[options.order.values]
desc = "the highest score comes first"
asc = "the lowest score comes first, as for distances"
#}
{% set list = "partition by " ~ model("r") ~ "r.user_id" %}
{% macro rows() %}
from {{ "contenders" if ranks_of_hits else recs }} as r{% if any_order %}

where r.rank_by = 'score'{% endif %}
{% endmacro %}
{% if not unordered %}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.item_id,
    r.score,
    row_number() over (
        {{ list }}
        order by {{ best_first }}, {{ "r.item_id desc" if ties == "item_desc" else "r.rank asc, r.item_id asc" if ties == "input" else "r.item_id asc" }}
    ) as rank{{ further("r") }}
{{ rows() }}
{% else %}
select
{% if modelled %}
    r.model,
{% endif %}
    r.user_id,
    r.item_id,
    r.score,
    count(*) over ({{ list }} order by r.score {{ order }}) as last,
    rank() over ({{ list }} order by r.score {{ order }}) as rank
from (
{% if closed %}
    select {{ model("r") }}r.user_id, r.item_id, {{ "min" if (duplicates == "last") == (order == "desc") else "max" }}(r.score) as score
    {{ rows() | indent }}
    group by {{ model("r") }}r.user_id, r.item_id
{% else %}
    select {{ model("r") }}r.user_id, r.item_id, r.score
    {{ rows() | indent }}
{% endif %}
) as r
{% endif %}

-- name: ranked
{#
row = "one row per row of recs, with its rank"
inline = true
also = "item fusion overlap"
needs = ["whole_list if duplicates in ['first', 'last'] or budget is not none"]

[options.rank_by]
about = "the column that orders a list; by default rank if there is one, else score"
topic = "ties"

[options.rank_by.values]
rank = "the column rank, starting at 1"
score = "the column score, the highest first unless order = 'asc'"
position = "the same as rank: in a LIST column, the position in the list"

[options.duplicates]
about = "what happens to an item that is in a list more than once"
topic = "duplicates"
default = "error"

[options.duplicates.values]
error = "an error, if the item is relevant"
first = "keeps its best rank, and later items move up"
hole = "keeps its best rank, and later copies keep theirs but are never hits"
count = "each copy counts"
set = "as hole, and the copies count once among the items returned"
last = "keeps its worst rank, and later items move up"
#}
{% macro ranks() %}
{% if by_rank %}
select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.rank as last" if unordered }}{{ further("r") }}
from {{ recs }} as r{% if any_order %}

where r.rank_by = 'rank'{% endif %}{% if by_score %}

union all
{% endif %}
{% endif %}
{% if by_score %}
select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.last" if unordered }}{{ further("r") }}
from scored as r{% endif %}
{% endmacro %}
{% if not closed %}
{{ ranks() }}
{% else %}
select {{ model("o") }}o.user_id, o.item_id, o.rank - o.dropped as rank{{ ", o.last - o.dropped as last" if unordered }}{{ further("o") }}
from (
    select
{% if modelled %}
        c.model,
{% endif %}
        c.user_id,
        c.item_id,
        c.rank,
{% if unordered %}
        c.last,
{% endif %}
        c.copy{{ further("c") }},
        {{ lower_ranks(r="c", counted="case when c.copy > 1 then 1 end") | indent(8) }} as dropped
    from (
        select
{% if modelled %}
            r.model,
{% endif %}
            r.user_id,
            r.item_id,
            r.rank,
{% if unordered %}
            r.last,
{% endif %}
{% if further("r") %}
            {{ further("r")[2:] }},
{% endif %}
            row_number() over (
                partition by {{ model("r") }}r.user_id, r.item_id
                order by {{ "-try_cast(r.rank as bigint)" if duplicates == "last" else "r.rank" }} asc
            ) as copy
        from (
            {{ ranks() | indent(12) }}
        ) as r
    ) as c
) as o
where o.copy = 1
{% endif %}

-- name: recommended
{#
row = "one row per recommended item, up to the largest cut-off"
inline = true
#}
select {{ model("r") }}r.user_id, r.item_id, r.rank{{ ", r.last" if unordered }}{{ further("r") }}
from {{ ranked_rows }} as r{% if not needs.whole_list %}

where r.rank <= {{ depth }}{% endif %}
