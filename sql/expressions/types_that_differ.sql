{#
about = "in a macro, the sentence if ids have different types in recs and truth"
#}
recsql.check_id_types(recsql.relation({{ tables.recs.name }}), recsql.relation({{ tables.truth.name }}), {{ tables.recs.name }}, {{ tables.truth.name }})
