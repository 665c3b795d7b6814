"""Bare Debian systems in folders, made with debootstrap, for packaging/try-on and packaging/package. Need root, for
debootstrap and chroot. Mounts exist only in the namespace of a command, and end with it.
"""
import os
import pathlib
import re
import resource
import shutil
import subprocess

repository = pathlib.Path(__file__).resolve().parent.parent
roots = pathlib.Path(os.environ.get("THREEFOLD_ROOTS", repository / "build/roots")).resolve()

# Runs the command "$@" in the root $0, with this machine's /dev and /sys.
INSIDE = """
mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t tmpfs tmpfs "$0/dev/shm" &&
mount --rbind /sys "$0/sys" && exec chroot "$0" "$@"
"""
INSTALL = """
dpkg-query -W "$@" || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"; }
"""
PASSED_ON = ["http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
             "CMAKE_BUILD_PARALLEL_LEVEL"]


class Failed(Exception):
    pass


def mirror():
    """The mirror from which this machine's apt takes Debian."""
    known = os.environ.get("THREEFOLD_MIRROR", "").split() or subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages",
         "Origin: Debian", "Label: Debian", "Component: main"],
        capture_output=True, text=True, check=True).stdout.split()
    if not known:
        raise Failed("apt knows no mirror of Debian here: THREEFOLD_MIRROR can name one")
    return known[0]


class Root:
    """A bare Debian system in a folder, with a log of all commands."""

    def __init__(self, release, name=None):
        self.release = release
        self.folder = roots / (name or release)
        roots.mkdir(parents=True, exist_ok=True)
        self.log_path = roots / f"{self.folder.name}.log"
        self.log = open(self.log_path, "wb")

    def run(self, *command, **options):
        """Runs a command, which prints into the log, and returns its output. Throws Failed."""
        self.log.write(f"$ {' '.join(map(str, command))}\n".encode())
        self.log.flush()
        begin = self.log.tell()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log,
                                   stderr=subprocess.STDOUT, **options)
        try:
            status = process.wait()
        finally:  # also after an interrupt: processes in the root end with unshare
            process.kill()
        self.log.seek(0, os.SEEK_END)
        output = self.log_path.read_bytes()[begin:].decode(errors="replace")
        if status != 0:
            outcome = outcome_of(output) or (output.split("\n")[-2:] or [""])[0]
            raise Failed(f"{outcome} (status {status}), see {self.log_path}")
        return output

    def inside(self, *command, **environment):
        """Runs a command in the root, with an environment of its own. As run()."""
        passed_on = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        return self.run("unshare", "--mount", "--pid", "--fork", "--kill-child",
                        "bash", "-c", INSIDE, self.folder, *command,
                        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "TERM": "dumb",
                             "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                             "CCACHE_DISABLE": "1", **passed_on, **environment})

    def make(self):
        """Makes the bare system if it is missing; copies this machine's network settings into it."""
        if not self.folder.exists():
            part = roots / f"{self.folder.name}.part"
            shutil.rmtree(part, ignore_errors=True)
            self.run("debootstrap", "--variant=minbase", "--include=ca-certificates", self.release,
                     part, mirror())
            part.rename(self.folder)
        shutil.copyfile("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        settings = self.run("apt-config", "dump", "Acquire").splitlines(keepends=True)
        (self.folder / "etc/apt/apt.conf.d/90try-on").write_text("".join(
            line for line in settings if re.match("Acquire::(https?|Check|Retries)", line)))
        certificates = list(pathlib.Path("/usr/local/share/ca-certificates").glob("*.crt"))
        for certificate in certificates:
            shutil.copy(certificate, self.folder / "usr/local/share/ca-certificates")
        if certificates:
            self.inside("update-ca-certificates")

    def install(self, *packages):
        self.inside("bash", "-c", INSTALL, "install", *packages)


def outcome_of(output):
    """Counts of passed, failed and skipped tests, or of a compiler's errors and warnings; else empty."""
    tests = re.search(r"(\d+) tests failed out of (\d+)", output)
    if not tests:
        found = [(len(re.findall(rf":\d+: {kind}: ", output)), kind) for kind in ("error", "warning")]
        return ", ".join(f"{count} {kind}s" for count, kind in found if count)
    failed, skipped = int(tests[1]), output.count("***Skipped")
    names = re.findall(r"^\t *\d+ - (\S+) \((?!Skipped|Disabled)", output, re.MULTILINE)
    return ": ".join(filter(None, [f"{int(tests[2]) - failed - skipped} tests passed, {failed} failed, "
                                   f"{skipped} skipped", " ".join(names)]))


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
