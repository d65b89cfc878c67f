"""The public functions, one file each, and the call that they share."""
