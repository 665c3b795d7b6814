"""The programs of the payload, and NVIDIA's libraries on this machine."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path


class Refusal(Exception):
    """The reason why nothing can be run on this machine."""


def said(*command):
    """Output of a program; empty if it fails or is missing."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              timeout=20, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def ask_gpu(fields):
    every = said("nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader,nounits")
    return every.partition("\n")[0]


class Kit:
    """The unpacked payload, and the environment for its programs."""

    def __init__(self, options, work):
        self.work = work
        self.repository = options.repository.resolve()
        model = self.repository / "resources/models/default.tar.xz"
        if not model.is_file():
            raise Refusal(f"{self.repository} has no resources/models/default.tar.xz. "
                          "Give --repository.")
        self.unpack(Path(__file__).resolve().parent / "payload.tar.xz", work)
        (work / "data/resources/models").mkdir(parents=True)
        self.unpack(model, work / "data/resources/models")
        self.about = json.loads((work / "about.json").read_text())
        (work / "data/tests").symlink_to(self.repository / "tests")
        (work / "data/resources/samples").symlink_to(self.repository / "resources/samples")
        cache = self.repository / "build/gpu-plans"
        try:
            (cache / "threefold").mkdir(parents=True, exist_ok=True)
        except OSError:
            cache = work / "gpu-plans"
        self.plans = cache / "threefold"
        self.environment = dict(
            os.environ, THREEFOLD_RESOURCES=str(work / "data/resources"),
            THREEFOLD_CUDA_PLUGIN=str(work / "lib/libthreefold_cuda.so"),
            THREEFOLD_GPU_TEST_PLANS=str(self.plans), XDG_CACHE_HOME=str(cache))
        self.choose_compiler_library()
        self.missing = self.find_libraries(options.libraries)
        if self.missing and not options.cpu:
            raise Refusal(f"not found: {' '.join(self.missing)}. Install CUDA 13 and cuDNN 9, or "
                          "give --libraries.")

    @staticmethod
    def unpack(archive, folder):
        try:
            with tarfile.open(archive) as content:
                content.extraction_filter = lambda member, path: member
                content.extractall(folder)
        except (OSError, tarfile.TarError, EOFError) as error:
            raise Refusal(f"{archive} does not unpack: {error}") from error

    def program(self, name="threefold"):
        return str(self.work / "bin" / name)

    def bundled(self):
        """Returns the names of the bundled samples."""
        text = (self.repository / "resources/samples/list.txt").read_text()
        return [line.strip() for line in text.splitlines()]

    def list_of(self, count):
        """Makes a test list of `count` samples: links under other names to the bundled ones, whose PNG files are read."""
        folder = self.work / f"list{count}"
        if folder.is_dir():
            return folder / "list.txt"
        bundled = self.repository / "resources/samples"
        names = self.bundled()
        (folder / "gt").mkdir(parents=True)
        lines = []
        for number in range(count):
            category, item, view = names[number % len(names)].split("_")
            copy = f"{category}_{item}n{number}_{view}"
            root = folder / "ShapeNetRendering" / category
            root.mkdir(parents=True, exist_ok=True)
            (root / f"{item}n{number}").symlink_to(bundled / "ShapeNetRendering" / category / item)
            (folder / "gt" / copy).symlink_to(bundled / "gt" / names[number % len(names)])
            lines.append(copy)
        (folder / "list.txt").write_text("\n".join(lines) + "\n")
        return folder / "list.txt"

    def look_in(self, folder):
        paths = self.environment.get("LD_LIBRARY_PATH", "").split(":")
        if str(folder) not in paths:
            self.environment["LD_LIBRARY_PATH"] = ":".join(filter(None, [*paths, str(folder)]))

    def choose_compiler_library(self):
        """Uses the system's C++ library if the program starts with it, since CUDA's libraries may need a
        newer one than the payload's; else the payload's."""
        for _ in range(2):
            ended = subprocess.run([self.program(), "--version"], env=self.environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            if ended.returncode == 0:
                return
            self.look_in(self.work / "compiler")
        raise Refusal(f"the program does not start here: {ended.stdout.strip()}")

    def find_libraries(self, given):
        known = said("ldconfig", "-p") or said("/sbin/ldconfig", "-p")
        places = [*given, *self.environment.get("LD_LIBRARY_PATH", "").split(":"),
                  *glob.glob("/usr/local/cuda*/lib64"), *glob.glob("/usr/local/cuda*/lib"),
                  *glob.glob("/opt/cuda*/lib64"), "/usr/lib/x86_64-linux-gnu",
                  str(self.repository / "build/cuda-toolkit/lib"),
                  *(found for path in sys.path for found in glob.glob(f"{path}/nvidia/*/lib"))]
        missing = []
        for name in self.about["nvidia"]:
            if not given and re.search(rf"\s{re.escape(name)} ", known):
                continue
            place = next((place for place in places if os.path.exists(f"{place}/{name}")), None)
            if place is None:
                missing.append(name)
            else:
                self.look_in(place)
        return missing


def tool(name):
    """Returns the path of a program of the CUDA toolkit, or None."""
    places = [f"/usr/local/cuda*/bin/{name}", f"/usr/local/cuda*/compute-sanitizer/{name}",
              f"/opt/nvidia/nsight-*/*/{name}", f"/opt/nvidia/nsight-*/*/bin/{name}"]
    return shutil.which(name) or next((file for place in places for file in glob.glob(place)), None)
