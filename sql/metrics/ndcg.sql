{#
title = "normalised discounted cumulative gain"
formula = "DCG / IDCG; linear gain, ideal from all truth cut at k"
reference = "Järvelin and Kekäläinen 2002"
aliases = ["ndcg_at_k", "ndcgat", "ndcgatk", "ndcgk", "ndcg_cut", "ndcg_score", "retrievalnormalizeddcg", "normalized_discounted_cumulative_gain"]
bounds = [0, 1]
sparse = "zero_ideal == 'zero' or (gain in ['linear', 'binary', 'exp2'] and relevant == 'positive' and (relevance_threshold is none or relevance_threshold > 0) and ideal in ['truth', 'truth_uncut', 'constant'] and truth_window != 'k')"
#}
{% set ratio = "s.dcg / nullif(s.idcg, 0e0)" %}
{{ choose("zero_ideal",
    zero="coalesce(" ~ ratio ~ ", 0e0)",
    one="coalesce(" ~ ratio ~ ", 1e0)",
    otherwise=ratio,
) }}
