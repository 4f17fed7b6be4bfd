"""Who owns which tab, and which uids they were shown."""
