"""One file for each command of `sam`; the table that names them is bot.cli.main.COMMANDS."""
