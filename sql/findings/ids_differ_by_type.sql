{#
about = "ids have different types in two tables"
matters = "no id of one table is equal to an id of the other"
advice = "cast one of them to the other's type"
severity = "error"
unit = "rows"
needs = ["types"]
#}
