"""Tasks and reminders: /tasks, /todo, /remind, and their buttons."""
