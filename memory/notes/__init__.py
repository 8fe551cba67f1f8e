"""Note formats: Markdown, daily notes, facts, tasks, chunks. Pure."""
