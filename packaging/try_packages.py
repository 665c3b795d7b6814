"""Each package in a bare root of its own: installed, started, its window drawn on an X server of this
machine, and removed.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import time

from bare_root import Failed, Root

SAMPLE = "ShapeNetRendering/02691156/p0001"
# Where apt and dpkg keep what they did, and the user's own.
PASSING = re.compile(r"/(proc|sys|dev|tmp|srv|run|root|var/(log|cache|lib/(apt|dpkg|systemd))|"
                     r"etc/(ld\.so\.cache|machine-id|mtab|resolv\.conf|.*-$))")
# What something else would like to have is removed too.
ALL = ["-o", "APT::AutoRemove::RecommendsImportant=false",
       "-o", "APT::AutoRemove::SuggestsImportant=false"]


def fresh(release):
    """A bare root as debootstrap leaves it, where nothing has been installed."""
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
    """What the X screen shows once the window has its first result."""
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
            except Failed:  # its display is gone
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
    before = files(root)
    root.inside("apt-get", "update", "-qq")
    begun = time.monotonic()
    said = root.inside("apt", "install", "-y", put(root, package))
    seconds = time.monotonic() - begun
    fetched = re.search(r"Need to get ([\d.,]+ \S?B)", said)
    used = re.search(r"After this operation, (\S+ \S+)", said)
    yield (f"installed in {seconds:.0f} s, with {fetched[1]} fetched and {used[1]} on disk, "
           "with all that it needs and Debian recommends")
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
    yield "purged: no file is left, nor of what came with it"


def try_appimage(package, root):
    # Neither FUSE nor Qt is there.
    command = f"env APPIMAGE_EXTRACT_AND_RUN=1 {put(root, package)}"
    before = files(root)
    samples = root.folder / "srv/samples"
    shutil.copytree("resources/samples", samples)
    yield reconstruct(root, command, "/srv/samples")
    yield window(root, package.parent / "appimage-window.png", command)
    if files(root) - before:
        raise Failed(f"left behind: {sorted(files(root) - before)[:20]}")


def try_tarball(package, root):
    root.inside("tar", "-xzf", put(root, package), "-C", "/srv")
    folder = f"/srv/{package.name.removesuffix('.tar.gz')}"
    yield reconstruct(root, f"{folder}/bin/threefold", f"{folder}/share/threefold/samples")


def run(out, release):
    """A line for each thing that was tried. Throws Failed."""
    if os.geteuid() != 0:
        raise Failed("--try needs root, for debootstrap and chroot")
    kinds = {"threefold_*.deb": try_deb, "*.AppImage": try_appimage, "*.tar.gz": try_tarball}
    for pattern, attempt in kinds.items():
        for package in sorted(pathlib.Path(out).glob(pattern)):
            root = fresh(release)
            for outcome in attempt(package, root):
                print(f"{release}, {package.name}: {outcome}", flush=True)
            shutil.rmtree(root.folder)
