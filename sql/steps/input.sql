{#
The tables of a call, with recsql's column names, and the cut-offs.

Goes in: the user's tables, whose queries come with the call. Comes out: given_recs, one row per row of recs,
given_truth, one row per row of the truth, and a step for each further table; cutoffs, one row per k. No other chapter
reads the user's tables. A column that a table lacks is NULL here, and a missing relevance is 1.
#}

-- name: table_columns
{#
row = "one row per column of the tables"
#}
{# The first of all steps, because a table can have the name of a later one. #}
{% for role in required %}
select '{{ role }}' as role, c.name
from recsql.columns_of({{ tables[role].source | replace("query_table(recsql.relation(", "") | replace("))", "") }}) as c
{{ "union all" if not loop.last }}
{% endfor %}

-- name: sampled
{#
row = "one row per user in the sample; NULL user ids stay in, so that the checks find them"
plain_row = "one row per user in the sample"
also = "item"
sized = true

[options.sample]
about = "the share of users to evaluate, chosen by a hash of the user id: the same users on every engine"
topic = "population"
default = 1
type = "number"
above = 0
at_most = 1
#}
select distinct a.user_id
from (
{% for role in ["recs", "truth", "users"] | select("in", tables) %}
    select g.user_id
    from (
        {{ tables[role].select | indent(8) }}
    ) as g
{% if not loop.last %}
    union all
{% endif %}
{% endfor %}
) as a
where {{ "a.user_id is null or " if checked }}md5({{ sql.text("a.user_id") }}) < '{{ "%08x" | format((sample * 4294967296) | int) }}'

-- name: sampled_recs
{#
row = "one row per row of recs of a user in the sample, with recsql's column names"
#}
select g.*
from (
    {{ tables.recs.select | indent }}
) as g
inner join sampled as a on a.user_id is not distinct from g.user_id

-- name: sampled_truth
{#
row = "one row per row of truth of a user in the sample, with recsql's column names"
#}
select g.*
from (
    {{ tables.truth.select | indent }}
) as g
inner join sampled as a on a.user_id is not distinct from g.user_id

-- name: given_recs
{#
row = "one row per row of recs, with recsql's column names"
inline = true
#}
{% if sampled %}
select r.* from sampled_recs as r
{% elif finding and named %}
{# Without rows if ids differ in type, because these can't be joined. #}
select r.*
from recsql.given_recs_of({{ tables.recs.name }}) as r
where not exists (select c.message from {{ types_that_differ() | trim }} as c)
{% else %}
{{ tables.recs.select }}
{% endif %}

-- name: given_lists (fast)
{#
row = "one row per LIST of recs"
buys = "with possible_hits and list_ranks: six metrics of 10 million rows in LISTs take 1.5 CPU seconds instead of 2.4"
inline = true
#}
{{ lists_query }}

-- name: given_truth
{#
row = "one row per row of truth, with recsql's column names"
inline = true
#}
{% if sampled %}
select t.* from sampled_truth as t
{% elif finding and named %}
{# Without rows if ids differ in type, because these can't be joined. #}
select t.*
from recsql.given_truth_of({{ tables.truth.name }}) as t
where not exists (select c.message from {{ types_that_differ() | trim }} as c)
{% else %}
{{ tables.truth.select }}
{% endif %}

-- name: given_users
{#
row = "one row per user in the table users"
inline = true
also = "item"

[options.users]
about = "which users are in the mean: a policy, or a table of user ids"
topic = "population"
default = "truth"
type = "table"

[options.users.values]
truth = "users with relevant items, subject to no_recs and no_truth"
intersection = "users with a list: those with relevant items, and others as no_truth says; of lists, those of users with relevant items"
union = "users with relevant items or a list; one with a list alone is not left out, but counts as 0 where no_truth says skip or zero_below_threshold"
#}
{% if sampled %}
select g.user_id
from (
    {{ tables.users.select | indent }}
) as g
inner join sampled as a on a.user_id = g.user_id
{% else %}
{{ tables.users.select }}
{% endif %}

-- name: given_segments
{#
row = "one row per row of segments, with recsql's column names"
inline = true
#}
{{ tables.segments.select }}

-- name: given_items
{#
row = "one row per catalogue item and category"
grain = "item"
inline = true
#}
{{ tables['items'].select }}

-- name: given_train
{#
row = "one row per row of train"
grain = "item"
inline = true
#}
{{ tables.train.select }}

-- name: given_candidates
{#
row = "one row per row of candidates"
inline = true
#}
{{ tables.candidates.select }}

-- name: given_past
{#
row = "one row per row of train"
grain = "baseline"
inline = true
#}
{{ tables.past.select }}

-- name: given_predictions
{#
row = "one row per row of predictions, with recsql's column names"
grain = "rating"
inline = true
#}
{{ tables.predictions.select }}

-- name: given_ratings
{#
row = "one row per row of ratings, with recsql's column names"
grain = "rating"
inline = true
#}
{{ tables.ratings.select }}

-- name: given_parts
{#
row = "one row per part, model and metric or item: the sum, or the number of recommendations; one model stands for all without lists"
inline = true
#}
{{ tables.parts.select }}

-- name: cutoffs
{#
row = "one row per cut-off"
#}
{{ cutoffs }}
