"""MCP over streamable HTTP: the official SDK's server behind a gate of our own.

    uvicorn -> connections (slow readers) -> gate (names, limits, identity, log) -> exchange (SDK, both eras)
                                                                              -> threads -> registry.call

Everything here is asynchronous but the core, which runs in `threads`. Nothing is kept between two requests, so a
client goes on after a restart of the server as if nothing had happened.
"""
