{#
about = "a gain, or an error if it is below 0, or too large or too small to be added up exactly"
parameters = "gain, item"
#}
case
    when gain = 0 or (gain >= 1e-6 and gain < 1e9) then gain
    else {{ refusal("gains_out_of_range", item="item", gain="gain") | indent }}
end
