"""What users hand over: files, tables and objects in memory, found and described."""
