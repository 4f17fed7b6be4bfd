"""Website: what makes the site of the documents, beside the documents themselves."""
