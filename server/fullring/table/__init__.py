"""The room's rules between and around hands: seats, button, blinds owed, clock, views. Pure: ``now`` is an argument."""
