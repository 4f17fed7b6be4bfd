"""TabBench: seventy small tasks, done by scripted agents through any server for browsers."""
