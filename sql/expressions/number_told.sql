{#
about = "a number `x` as text, a whole one without a point"
#}
case when {{ x }} = floor({{ x }}) and abs({{ x }}) < 1e15 then {{ sql.text("try_cast(" ~ x ~ " as bigint)") }} else {{ sql.text(x) }} end
