{#
message = "train: it is read only for by='train.activity' and for seen= here; give one of these, or leave train= out"
#}
