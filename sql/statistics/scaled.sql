{#
about = "pairs whose rating divides the error"
over = "pairs"
#}
{{ "count(p.prediction)" if mape_zero == "epsilon" else "count(case when p.rating <> 0 then p.prediction end)" }}
