"""Files of pages that no sync has seen yet."""

from gbrain.domain.slugs import normalise_slug
from gbrain.domain.source_ids import cited
from gbrain.errors import Unavailable, VersionConflict
from gbrain.ops.writing import mirror_of
from gbrain.registry import Context


def look_for(ctx: Context, slug: str) -> None:
    """Take in files of this slug, where no source is named and a change could mean the pages of several.

    Raises InvalidParams for what is no slug.
    """
    if ctx.extent.named or len(ctx.extent.granted) < 2 or cited(slug) is not None:
        return
    for source in ctx.extent.granted:
        mirror = mirror_of(ctx, source, normalise_slug(slug))
        try:
            if mirror is not None:
                mirror.look()
        except (Unavailable, VersionConflict):
            # A folder that is away, or a file that is no page, has no page of that slug to speak of.
            continue
