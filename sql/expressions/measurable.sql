{#
about = "true, or an error that says why the input can't be measured"
#}
(select count({{ sql.error("p.message") }}) from problems as p) = 0
