select * from '../../movietweetings/recs.parquet'
