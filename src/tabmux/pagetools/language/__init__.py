"""Language: words, verbs and nouns of pages in some twenty languages."""
