"""Where pages come from: Markdown with front matter."""
