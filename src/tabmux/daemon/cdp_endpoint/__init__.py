"""The CDP endpoint: one session's tabs for Playwright and Puppeteer, and nothing else."""
