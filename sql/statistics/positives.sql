{#
about = "pairs with label 1"
over = "pairs"
needs = ["labels"]
#}
count(case when {{ label_of("p.rating") }} = 1 then p.prediction end)
