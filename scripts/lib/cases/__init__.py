"""Runs folders of test cases against the built program: what scripts/run-cases is made of."""
