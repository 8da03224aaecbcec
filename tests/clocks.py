"""A clock that stands where a test puts it."""

from datetime import UTC, datetime, timedelta

from gbrain.domain.times import store_time

START = datetime(2031, 5, 4, 22, 10, tzinfo=UTC)


class Clock:
    """Stands still until it is moved or set; called, it tells the moment."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    @property
    def text(self) -> str:
        """The moment as the store writes it."""
        return store_time(self.now)

    def move(self, **span: float) -> str:
        """Let time pass (`hours=2`); the new moment."""
        self.now += timedelta(**span)
        return self.text

    def set(self, text: str) -> None:
        """Put it to a moment, in ISO 8601."""
        self.now = datetime.fromisoformat(text)
