"""Truth: tasks on real libraries, judged by the pages themselves."""
