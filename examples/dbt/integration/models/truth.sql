select * from '../../movietweetings/truth.parquet'
