"""What threefold raises: the engine's errors, in the four parts that a reader needs."""


class Error(Exception):
    """Root of all; str() is one line of the four parts, of which `place` and `remedy` may be empty."""

    subject: str = ""  #: file, argument or device that it is about
    place: str = ""  #: where in it: "byte 128", "view 3"
    problem: str = ""  #: what was found, and what was expected instead
    remedy: str = ""  #: what the reader can do about it

    def __init__(self, text: str, *parts: str) -> None:
        super().__init__(text)
        if parts:
            self.subject, self.place, self.problem, self.remedy = parts


class IoError(Error, OSError): """A file cannot be opened, read or written."""
class NotThisFormat(Error, ValueError): """The bytes are of no format that is read here."""
class FormatError(Error, ValueError): """The bytes are damaged, truncated, or too many."""
class InputError(Error, ValueError): """Input that cannot be used as asked: a wrong shape, NaN."""
class ModelError(Error, ValueError): """Weights or template are missing or inconsistent."""
class DeviceError(Error, RuntimeError): """A device, or what it should do, is missing or failed."""
class UsageError(Error, ValueError): """An argument names no choice that there is."""
class Cancelled(Error): """The work was cancelled."""
