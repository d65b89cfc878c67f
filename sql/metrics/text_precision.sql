{#
title = "precision of text"
group = "text"
formula = "positions of relevant text in the rows of the top k, each counted once / positions in these rows, repeated ones counted each time"
reference = "Smith and Troynikov 2024, Evaluating chunking strategies for retrieval; Pipitone and Houir Alami 2024, LegalBench-RAG"
care = "a question has little relevant text, so values are low, and most of all with long chunks; text that is read twice counts once above and twice below"
aliases = []
bounds = [0, 1]
spans = "only"
by_name = true
empty = "0e0"
#}
s.text_found / {{ double("nullif(s.text_read, 0)") }}
