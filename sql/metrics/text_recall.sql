{#
title = "recall of text"
group = "text"
formula = "positions of relevant text in the rows of the top k / positions of relevant text, each counted once"
reference = "Smith and Troynikov 2024, Evaluating chunking strategies for retrieval; Pipitone and Houir Alami 2024, LegalBench-RAG"
care = "a list that reads more reaches more, so compare chunkers at equal budgets, or beside text_precision"
aliases = []
bounds = [0, 1]
spans = "only"
by_name = true
empty = "0e0"
#}
s.text_found / {{ double("nullif(s.text_relevant, 0)") }}
