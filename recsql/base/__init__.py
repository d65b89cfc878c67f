"""What every room uses: errors, SQL text, paths, types, wording."""
