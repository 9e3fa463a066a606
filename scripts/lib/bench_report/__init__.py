"""The report of `warpath bench`: rows in, one page out. docs/experiments.md describes rows and plots."""
