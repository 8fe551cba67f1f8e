"""`sam mcp`: memory for other programs, on standard input and output or over HTTP."""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys

from memory import ConfigError, config

from ...settings import Settings, load
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
    settings = load()
    profile = existing(settings, args.profile)
    if args.config:
        return _print_settings(settings, profile, args)
    if args.new_token:
        return _new_token(settings, profile)
    if args.http:
        from ... import listener
        from ...mcp import http

        asyncio.run(http.serve(settings, profile, *listener.address(args.http)))
        return 0
    # A client waits for the start. The modules' objects are kept until the end: collecting garbage
    # among them takes a seventh of that time, and finds none.
    gc.disable()
    from ...mcp import serve_stdio

    gc.freeze()
    gc.enable()
    asyncio.run(serve_stdio(settings, profile))
    return 0


def _print_settings(settings: Settings, profile: str, args: argparse.Namespace) -> int:
    from ...mcp import CLIENTS, client_settings

    if args.config not in CLIENTS:
        raise ConfigError([f"--config knows {', '.join(CLIENTS)}"])
    where = ""
    if args.http:
        from ... import listener
        from ...mcp import http

        where = http.url(settings, *listener.address(args.http))
    print(client_settings(args.config, profile, config.env_file(), where))
    print(f"# {CLIENTS[args.config]}", file=sys.stderr)
    return 0


def _new_token(settings: Settings, profile: str) -> int:
    from ...mcp import http

    tokens = http.Tokens(settings, profile)
    if tokens.is_given:
        raise ConfigError(["MCP_TOKEN sets the token: change it there, or remove it"])
    print(tokens.make())
    return 0
