"""Tries each package in a bare root of its own: installs and starts it, draws its window on an X server
of this machine, and removes it.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import textwrap
import time

from bare_root import Failed, Root, processor_seconds

SAMPLE = "ShapeNetRendering/02691156/p0001"
# Files of apt, dpkg and users, which a package may leave behind.
PASSING = re.compile(r"/(proc|sys|dev|tmp|srv|run|root|var/(log|cache|lib/(apt|dpkg|systemd))|"
                     r"etc/(ld\.so\.cache|machine-id|mtab|resolv\.conf|.*-$))")
# Options by which autoremove also removes packages that others only recommend or suggest.
ALL = ["-o", "APT::AutoRemove::RecommendsImportant=false",
       "-o", "APT::AutoRemove::SuggestsImportant=false"]


def fresh(release):
    """Makes a copy of the bare root that debootstrap made, without further packages."""
    bare = Root(release, f"{release}-bare")
    bare.make()
    trial = Root(release, f"{release}-trial")
    shutil.rmtree(trial.folder, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", bare.folder, trial.folder], check=True)
    return trial


def files(root):
    listed = {f"/{os.path.relpath(os.path.join(folder, name), root.folder)}"
              for folder, _, names in os.walk(root.folder) for name in names}
    return {name for name in listed if not PASSING.match(name)}


def window(root, picture, command):
    """Opens the window, and saves a picture of the X screen after the first result."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x960x24",
                               "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL)
    display = ":" + os.read(read, 16).decode().strip()
    shown = root.folder / "srv/window.png"
    try:
        root.inside("sh", "-c", f"{command} doctor", DISPLAY=display)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            begun = time.monotonic()
            running = pool.submit(root.inside, "sh", "-c", "timeout 120 "
                                  f"{command} --screenshot /srv/window.png", DISPLAY=display)
            while not running.done() and not shown.exists():
                time.sleep(0.1)
            seconds = time.monotonic() - begun
            time.sleep(2)
            subprocess.run(["import", "-display", display, "-window", "root", picture], check=True)
            server.terminate()
            try:
                running.result()
            except Failed:  # the X server has been ended
                pass
        if not shown.exists():
            raise Failed(f"no window, see {root.log_path}")
        return f"window with its first result after {seconds:.1f} s, as in {picture}"
    finally:
        server.kill()


def reconstruct(root, command, samples):
    root.inside("sh", "-c", f"cd /srv && {command} reconstruct {samples}/{SAMPLE} -o out")
    meshes = list((root.folder / "srv/out").rglob("*.obj"))
    if not meshes:
        raise Failed(f"no mesh, see {root.log_path}")
    return "a mesh reconstructed"


def put(root, package):
    shutil.copy(package, root.folder / "srv")
    return f"/srv/{package.name}"


def try_deb(package, root):
    root.inside("apt-get", "update", "-qq")
    if root.release != "bookworm":  # from Debian 13 on, apt keeps this package after autoremove
        root.inside("apt-get", "install", "-y", "-qq", "systemd-sysv")
    before = files(root)
    begun, used_before = time.monotonic(), processor_seconds()
    said = root.inside("apt", "install", "-y", put(root, package))
    seconds = time.monotonic() - begun
    fetched = re.search(r"(?:Need to get|Download size:) ([\d.,]+ \S?B)", said)
    used = re.search(r"(?:After this operation,|Space needed:) (\S+ \S+)", said)
    yield (f"installed in {seconds:.0f} s, "
           f"{processor_seconds() - used_before:.0f} s of processor time; {fetched[1]} fetched and {used[1]} on disk, "
           "with all packages that it needs or Debian recommends for it")
    share = root.folder / "usr/share"
    subprocess.run(["desktop-file-validate", share / "applications/threefold.desktop"], check=True)
    subprocess.run(["appstreamcli", "validate", "--no-net",
                    share / "metainfo/org.threefold.threefold.metainfo.xml"], check=True,
                   stdout=subprocess.DEVNULL)
    yield reconstruct(root, "threefold", "/usr/share/threefold/samples")
    yield window(root, package.parent / "deb-window.png", "threefold")
    root.inside("apt", "purge", "-y", "threefold")
    own = sorted(name for name in files(root) - before if "threefold" in name)
    root.inside("apt", "autoremove", "--purge", "-y", *ALL)
    left = own + sorted(files(root) - before)
    if left:
        raise Failed(f"left behind: {' '.join(left[:20])}")
    yield "purged: no file of it or of the packages that came with it is left"


def try_appimage(package, root):
    # The root has neither FUSE nor Qt.
    command = f"env APPIMAGE_EXTRACT_AND_RUN=1 {put(root, package)}"
    before = files(root)
    samples = root.folder / "srv/samples"
    shutil.copytree("resources/samples", samples)
    yield reconstruct(root, command, "/srv/samples")
    yield window(root, package.parent / "appimage-window.png", command)
    if files(root) - before:
        raise Failed(f"left behind: {sorted(files(root) - before)[:20]}")


def script(manifest):
    """The shell script that a Kubernetes Job's pod runs."""
    block = re.search(r"- \|\n((?: {14}.*\n)+)", pathlib.Path(manifest).read_text())
    return textwrap.dedent(block[1])


def try_tarball(package, root):
    """Runs the steps of the Containerfile, then the commands of the Jobs, as the container's user."""
    for line in pathlib.Path("packaging/Containerfile").read_text().splitlines():
        step, _, rest = line.partition(" ")
        if step == "ADD":
            root.inside("tar", "-xzf", put(root, package), "-C", rest.split()[1])
        elif step == "RUN":
            root.inside("sh", "-c", rest)
    shutil.copytree("resources/samples", root.folder / "data")
    root.inside("chown", "-R", "65534:65534", "/data")
    job = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=/",
           "PATH=/usr/local/bin:/usr/bin:/bin", "sh", "-ec"]
    for index in range(4):
        root.inside(*job, script("examples/kubernetes/evaluate.yaml"),
                    JOB_COMPLETION_INDEX=str(index))
    said = root.inside(*job, script("examples/kubernetes/merge.yaml"))
    yield re.search(r"\d+ of \d+ samples done", said)[0] + " by the Jobs' commands in its container"


def run(out, release):
    """Tries all packages of a folder; prints a line for each result. Throws Failed."""
    if os.geteuid() != 0:
        raise Failed("--try needs root, for debootstrap and chroot")
    kinds = {"threefold_*.deb": try_deb, "*.AppImage": try_appimage, "*.tar.gz": try_tarball}
    for pattern, attempt in kinds.items():
        for package in sorted(pathlib.Path(out).glob(pattern)):
            root = fresh(release)
            for outcome in attempt(package, root):
                print(f"{release}, {package.name}: {outcome}", flush=True)
            shutil.rmtree(root.folder)
