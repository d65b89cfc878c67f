{#
row = "one row per pair: its place by the size of the error among all, and among those of the group; the number of pairs in other groups"
grain = "rating"
#}
select
    e.*,
    row_number() over (partition by {{ model("e") }}e.part order by e.place asc) as own_place,
    count(*) over ({{ "partition by e.model" if modelled }}) - count(*) over (partition by {{ model("e") }}e.part) as others
from (
    select
        {{ model("p") }}g.part,
        abs(p.rating - p.prediction) as error,
        row_number() over ({{ "partition by p.model " if modelled }}order by abs(p.rating - p.prediction) asc) as place
    from pairs as p
    inner join user_groups as g on g.user_id = p.user_id
    where p.prediction is not null
) as e
