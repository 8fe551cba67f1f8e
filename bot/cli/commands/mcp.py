"""`sam mcp`: memory for other programs, on standard input and output or over HTTP."""

from __future__ import annotations

import argparse
import asyncio
import sys

from memory import ConfigError, config

from ...settings import load
from ..profiles import add_profile, existing


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add where to serve, whose memory, and what is done instead."""
    parser.add_argument(
        "--http",
        metavar="HOST:PORT",
        help="serve over HTTP with a bearer token, such as 127.0.0.1:8766",
    )
    add_profile(parser)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--config",
        metavar="CLIENT",
        help="print the settings for claude-code, claude-desktop or cursor",
    )
    instead.add_argument(
        "--new-token", action="store_true", help="make and show a new token for --http"
    )


def run(args: argparse.Namespace) -> int:
    """Serve until the client closes standard input; with --http until Ctrl-C."""
    from ... import listener
    from ...mcp import CLIENTS, client_settings, http, serve_stdio

    settings = load()
    profile = existing(settings, args.profile)
    if args.config:
        if args.config not in CLIENTS:
            raise ConfigError([f"--config knows {', '.join(CLIENTS)}"])
        where = http.url(settings, *listener.address(args.http)) if args.http else ""
        print(client_settings(args.config, profile, config.env_file(), where))
        print(f"# {CLIENTS[args.config]}", file=sys.stderr)
        return 0
    if args.new_token:
        tokens = http.Tokens(settings, profile)
        if tokens.is_given:
            raise ConfigError(["MCP_TOKEN sets the token: change it there, or remove it"])
        print(tokens.make())
        return 0
    if args.http:
        asyncio.run(http.serve(settings, profile, *listener.address(args.http)))
        return 0
    asyncio.run(serve_stdio(settings, profile))
    return 0
