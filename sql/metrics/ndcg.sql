{#
title = "normalised discounted cumulative gain"
formula = "DCG / IDCG; linear gain, ideal list from the whole truth cut at k"
reference = "Järvelin and Kekäläinen 2002"
aliases = ["normalized_discounted_cumulative_gain"]
default = 1
bounds = [0, 1]
sparse = """
condition(zero_ideal='zero') | either(
    condition(gain='linear binary exp2', relevant='positive', ideal='truth truth_uncut constant', truth_window='all rank')
    | both(is_above('relevance_threshold', 0))
)"""

[names]
recommenders = ["ndcg_at_k"]
recpack = ["ndcgk"]
sklearn = ["ndcg_score"]
spark = ["ndcgat", "ndcgatk"]
torchmetrics = ["retrievalnormalizeddcg"]
trec_eval = ["ndcg_cut"]
#}
{% set ratio = "s.dcg / nullif(s.idcg, 0e0)" %}
{{ choose("zero_ideal",
    zero="coalesce(" ~ ratio ~ ", 0e0)",
    one="coalesce(" ~ ratio ~ ", 1e0)",
    otherwise=ratio,
) }}
