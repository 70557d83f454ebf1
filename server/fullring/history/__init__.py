"""A finished hand as a file, and a file as a hand: PHH in both directions, and its replay through the rules.

Knows no table, no account and no database.
"""
