{# What is odd about input that can be measured, a sentence each. #}
select w.message
from warnings as w
