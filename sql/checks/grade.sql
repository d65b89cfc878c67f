{#
message = "{truth}: gain {gain} is above that of the highest grade {most}; set err_max_grade= to that of your scale"
#}
