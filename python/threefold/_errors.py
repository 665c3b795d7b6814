"""Exceptions of threefold: the engine's errors, which have four parts."""


class Error(Exception):
    """Base of all errors. str() is one line of the four parts; `place` and `remedy` may be empty."""

    subject: str = ""  #: file, argument or device with the error
    place: str = ""  #: position in the subject: "byte 128", "view 3"
    problem: str = ""  #: found and expected value or state
    remedy: str = ""  #: the user's next action, a full sentence

    def __init__(self, text: str, *parts: str) -> None:
        super().__init__(text)
        if parts:
            self.subject, self.place, self.problem, self.remedy = parts


class IoError(Error, OSError):
    """A file cannot be opened, read or written."""


class NotThisFormat(Error, ValueError):
    """The bytes are in no supported format."""


class FormatError(Error, ValueError):
    """The bytes are damaged, truncated, or beyond the accepted limits."""


class InputError(Error, ValueError):
    """The input cannot be used as requested: a wrong shape, NaN."""


class ModelError(Error, ValueError):
    """Weights or template are missing or inconsistent."""


class DeviceError(Error, RuntimeError):
    """A device is missing or failed."""


class UsageError(Error, ValueError):
    """An argument has an unknown or contradictory value."""


class Cancelled(Error):
    """The work was cancelled."""
