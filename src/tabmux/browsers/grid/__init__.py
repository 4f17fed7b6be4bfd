"""Grid: browsers of a Selenium Grid, each shared by the sessions of one token."""
