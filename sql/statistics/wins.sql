{#
about = "pairs of a label 1 and a label 0 in which label 1 has the higher prediction, with half of the ties"
over = "pairs"
made_with = "label_of"
needs = ["labels", "places"]
#}
sum(p.wins) / 2e0
