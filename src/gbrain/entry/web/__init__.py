"""The viewer: what the brain knows, where each line comes from, and every move that takes it back, in a browser.

Everything it shows comes through the registry as the person at this machine; every file it sends lies in this folder.
"""
