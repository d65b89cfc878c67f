{#
title = "overlap of the text read and the relevant text"
group = "text"
formula = "f / (n + t - f): f positions of relevant text in the rows of the top k, n positions in these rows, t positions of relevant text"
reference = "Smith and Troynikov 2024, Evaluating chunking strategies for retrieval"
care = "it falls with each row that brings nothing new, so it is no reason to choose k; compare chunkers at the same cut-off"
aliases = []
bounds = [0, 1]
spans = "only"
by_name = true
empty = "0e0"
#}
s.text_found / {{ double("nullif(s.text_read + s.text_relevant - s.text_found, 0)") }}
