"""The databases that run the SQL, one file each."""
