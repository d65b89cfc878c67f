"""The functions of Python, one file each, and the call that they share."""
