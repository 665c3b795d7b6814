"""Collects artists' objects from three Debian packages, and renders them for training and evaluation.

    python3 collect.py CACHE --threefold threefold

Writes an npz file for each object into CACHE/train and CACHE/unseen, which objects.py reads, and CACHE/objects.tsv with
each object's split, kind, name, package, author and licence. Nothing is installed: the packages are downloaded and
unpacked in CACHE. AC3D files need the program `assimp` (Debian: assimp-utils). The same command continues an interrupted
run. Needs about 2 GB for packages and files, and 2 MB per object and variant; a core renders 40 objects a minute.

Unseen objects are never used for training: all objects of one library (KatorLegaz), and a quarter of the others, chosen by
the SHA-1 of their names. Variants are training objects scaled by 0.75 to 1.33 along each axis, with other cameras.
"""
import argparse
import csv
import hashlib
import os
import pathlib
import pickle
import re
import shutil
import subprocess
import typing
import zipfile

import numpy as np
from PIL import Image

import data

PACKAGES = "sweethome3d-furniture", "flightgear-data-ai", "torcs-data"
LIBRARIES = {  # licences of sweethome3d-furniture's libraries; of one library's files of one name, the first is used
    "BlendSwap-CC-0": "CC0", "BlendSwap-CC-BY": "CC-BY-3.0", "KatorLegaz": "CC-BY-3.0", "Scopia": "CC-BY-3.0",
    "Reallusion": "CC-BY-3.0"}
UNSEEN_LIBRARY = "KatorLegaz"
OTHER = "other"
KINDS = (  # an object has the first kind whose pattern matches its name
    ("cabinet", r"bedside table"),
    ("lamp", r"table.*lamp|lamp.*table|desk lamp"),
    ("chair", r"chair|stool|seat\b"),
    ("sofa", r"sofa|couch|futon|loveseat"),
    ("bench", r"bench(?!.*abdominal)"),
    ("table", r"table|desk"),
    ("cabinet", r"cabinet|dresser|cupboard|chest|bookcase|wardrobe|shelf|shelves|sideboard|locker|closet|filing|"
                r"commode|drawer|buffet|fridge"),
    ("lamp", r"lamp|chandelier|light\b|lantern"),
    ("display", r"\btv|television|monitor|imac|screen|display"),
    ("speaker", r"speaker|stereo"),
    ("phone", r"phone(?!s)"),
    ("car", r"\bcar\b|sedan|focus|chevrolet|peugeot|renault|citroen|ford|bmw|audi|van\b|jeep|pickup|taxi|vehicle|"
            r"coupe|beetle|mini\b|truck|bus\b"),
    ("plane", r"plane|aircraft"),
    ("watercraft", r"boat|ship|yacht|canoe|sail"))
NO_OBJECTS = "Doors and windows", "Characters"  # excluded categories of the furniture's catalogues
NO_AIRCRAFT = re.compile(
    r"light|beacon|strobe|pilot|panel|nav[lr]|prop|contrail|smoke|tank|wake|balloon|bomb|refuel|probe|wheels|ferryboat|"
    r"omspods|ssme|appleoon|tuxalloon|spaceshuttle|gt$", re.I)
NO_CARS = re.compile(r"wheel|lod|pitcrew|glow|shade|driver|helm", re.I)
LEAST_BYTES, MOST_BYTES = 15_000, 12_000_000  # smallest AC3D file; largest OBJ file of which variants are made
THINNEST = 0.012  # smallest thickness of an object whose box has a diagonal of 0.57: meshes of flat objects fold
STRETCH = .75, 1.33


class Source(typing.NamedTuple):
    """An object in its package."""
    kind: str
    name: str
    package: str
    author: str
    licence: str
    path: pathlib.Path

    def is_unseen(self):
        return self.author == UNSEEN_LIBRARY or int(hashlib.sha1(self.name.encode()).hexdigest(), 16) % 4 == 0


def kind_of(name, category):
    """Returns the kind of an object by its name; OTHER if no pattern matches."""
    if category in NO_OBJECTS:
        return OTHER
    return next((kind for kind, words in KINDS if re.search(words, name.lower())), OTHER)


def file_name(text):
    return re.sub(r"[^A-Za-z0-9]+", "-", text)


def unpack(cache):
    """Downloads and unpacks the packages. Returns the folder that holds a folder for each package."""
    unpacked = cache / "packages"
    for package in PACKAGES:
        if (unpacked / package).is_dir():
            continue
        unpacked.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", package], cwd=unpacked, check=True)
        archive = next(unpacked.glob(f"{package}_*.deb"))
        part = unpacked / f"{package}.part"
        shutil.rmtree(part, ignore_errors=True)
        subprocess.run(["dpkg", "-x", archive, part], check=True)
        for furniture in part.rglob("*.sh3f"):
            with zipfile.ZipFile(furniture) as entries:
                entries.extractall(part / furniture.stem)
        part.rename(unpacked / package)
        archive.unlink()
    return unpacked


def furniture(folder):
    """Returns the objects of Sweet Home 3D's catalogues."""
    found, names = [], set()
    for library, licence in LIBRARIES.items():
        items = {}
        for line in (folder / library / "PluginFurnitureCatalog.properties").read_text("latin1").splitlines():
            if told := re.match(r"(\w+)#(\d+)=(.*)", line.rstrip()):
                items.setdefault(int(told[2]), {})[told[1]] = told[3].encode().decode("unicode_escape")
        for item in items.values():
            path = folder / library / item.get("model", "").lstrip("/")
            if path.suffix.lower() != ".obj" or not path.is_file():
                continue
            name = file_name(f"{library[:4]}{library[-2:]}-{path.stem}")
            if name not in names:
                names.add(name)
                found.append(Source(kind_of(item.get("name", ""), item.get("category", "")), name, PACKAGES[0], library,
                                    licence, path))
    return found


def ac3d(folder, part, suffix, left_out, kind, package, licence, converted):
    """Returns the objects of a package's AC3D files below folders named `part`, converted to OBJ files in `converted`."""
    found, seen = [], set()
    for path in sorted(folder.rglob(f"*{suffix}")):
        if (f"/{part}/" not in str(path) or left_out.search(path.stem) or path.stem.lower() in seen
                or path.stat().st_size < LEAST_BYTES):
            continue
        seen.add(path.stem.lower())
        obj = converted / kind / path.stem / f"{path.stem}.obj"
        if obj.exists() or to_obj(path, obj):
            found.append(Source(kind, "FGTO-" + file_name(path.stem), package, package, licence, obj))
    return found


def to_obj(path, obj):
    """Converts an AC3D file to OBJ, with its textures as PNG beside it. Returns whether assimp could read it."""
    obj.parent.mkdir(parents=True, exist_ok=True)
    plain = obj.with_suffix(".ac")  # assimp recognises only this suffix
    shutil.copyfile(path, plain)
    part = obj.with_name("part.obj")
    subprocess.run(["assimp", "export", plain, part], capture_output=True, timeout=120, check=False)
    plain.unlink()
    if not part.exists():
        return False
    materials = part.with_suffix(".mtl")
    lines = materials.read_text(errors="replace").splitlines() if materials.exists() else []
    for at, line in enumerate(lines):
        if told := re.match(r"\s*map_Kd\s+(.*)", line):
            name = pathlib.PurePosixPath(told[1].strip().replace("\\", "/"))
            texture = next((t for t in (path.parent / name, path.parent / name.name) if t.is_file()), None)
            png = file_name(name.stem) + ".png"
            if texture is not None and not (obj.parent / png).exists():
                try:
                    Image.open(texture).save(obj.parent / png)
                except (OSError, ValueError):
                    texture = None
            lines[at] = f"map_Kd {png}" if texture is not None else ""
    materials.write_text("\n".join(lines) + "\n")
    part.rename(obj)
    return True


def sources(cache):
    packages, converted = unpack(cache), cache / "converted"
    return (furniture(packages / PACKAGES[0])
            + ac3d(packages / PACKAGES[1], "Aircraft", ".ac", NO_AIRCRAFT, "plane", PACKAGES[1], "GPL-2+", converted)
            + ac3d(packages / PACKAGES[2], "cars", ".acc", NO_CARS, "car", PACKAGES[2], "GPL-2+ or Free Art", converted))


def stretched(text, factors):
    """Returns an OBJ file's text with positions scaled along each axis, and normals transformed accordingly."""
    lines = []
    for line in text.splitlines():
        words = line.split()
        if words and words[0] == "v":
            line = " ".join(["v", *(f"{float(w) * f:.6g}" for w, f in zip(words[1:4], factors)), *words[4:]])
        elif words and words[0] == "vn":
            normal = np.array([float(w) / f for w, f in zip(words[1:4], factors)])
            line = "vn %.5f %.5f %.5f" % tuple(normal / (np.linalg.norm(normal) or 1))
        lines.append(line)
    return "\n".join(lines) + "\n"


def lay_out(source, folder, factors):
    """Makes a folder with an object and its textures. Scales the object by `factors` unless it is None."""
    folder.mkdir(parents=True)
    for path in source.path.parent.rglob("*"):
        if path.is_file() and path.suffix.lower() != ".obj":
            target = folder / path.relative_to(source.path.parent)
            target.parent.mkdir(parents=True, exist_ok=True)
            os.link(path, target)
    obj = folder / f"{source.name}.obj"
    if factors is None:
        os.link(source.path, obj)
    else:
        obj.write_text(stretched(source.path.read_text(errors="replace"), factors))


def rendered(folder, truth):
    """Reads a sample of `threefold render`: images [V, 137, 137, 3] (BGR bytes, blended with white), alpha
    [V, 137, 137] bytes, world [P, 6] points and normals, rows [V, 3] azimuth, elevation, distance."""
    rows = np.loadtxt(folder / "rendering_metadata.txt")[:, [0, 1, 3]].astype(np.float32)
    pixels = np.stack([np.array(Image.open(folder / f"{v:02d}.png").convert("RGBA")) for v in range(len(rows))])
    alpha = pixels[..., 3]
    cover = alpha[..., None] / 255
    images = (pixels[..., 2::-1] * cover + 255 * (1 - cover) + .5).astype(np.uint8)
    with open(truth, "rb") as file:
        points = np.asarray(pickle.load(file, encoding="latin1")[1], np.float32)
    first = data.camera(*rows[0])  # the truth is in the first view's camera space
    axes, origin = first[:9].reshape(3, 3), first[9:12]
    world = np.concatenate([points[:, :3] @ axes + origin, points[:, 3:6] @ axes], 1).astype(np.float32)
    return {"images": images, "alpha": alpha, "world": world, "rows": rows}


def render(sources, folder, work, threefold, variant):
    """Renders the objects that `folder` lacks, and writes an npz file for each. Variant 0 is not scaled."""
    suffix = f"-s{variant}" if variant else ""
    left = [s for s in sources if not (folder / f"{s.kind}_{s.name}{suffix}.npz").exists()
            and not (variant and s.path.stat().st_size > MOST_BYTES)]
    for at in range(0, len(left), 40):
        shutil.rmtree(work, ignore_errors=True)
        some = left[at:at + 40]
        for source in some:
            random = np.random.default_rng([variant, int(hashlib.sha1(source.name.encode()).hexdigest()[:8], 16)])
            lay_out(source, work / "in" / source.kind / source.name, random.uniform(*STRETCH, 3) if variant else None)
        for kind in sorted({s.kind for s in some}):
            subprocess.run([threefold, "render", work / "in" / kind, "-o", work / "out" / kind, "--seed", str(variant)],
                           capture_output=True, check=False)  # 1 if an object is refused
        for source in some:
            made = work / "out" / source.kind
            found = next(made.glob(f"*/{source.name}/rendering"), None)
            truth = next(made.glob(f"gt/*_{source.name}_00.dat"), None)
            if found is None or truth is None:
                print("not rendered:", source.kind, source.name, flush=True)
                continue
            arrays = rendered(found, truth)
            if np.ptp(arrays["world"][:, :3], axis=0).min() < THINNEST:
                print("too thin:", source.kind, source.name, flush=True)
                continue
            part = folder / "part.npz"
            np.savez(part, **arrays)
            part.rename(folder / f"{source.kind}_{source.name}{suffix}.npz")
        print(f"{folder.name} {variant}: {at + len(some)} of {len(left)}", flush=True)
    shutil.rmtree(work, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=pathlib.Path)
    parser.add_argument("--threefold", default="threefold", help="path of threefold, which renders")
    parser.add_argument("--variants", type=int, default=2, help="scaled variants of each training object")
    options = parser.parse_args()
    cache = options.cache.resolve()
    every = sources(cache)
    with open(cache / "objects.tsv", "w", newline="") as file:
        table = csv.writer(file, delimiter="\t")
        for s in every:
            table.writerow(["unseen" if s.is_unseen() else "train", s.kind, s.name, s.package, s.author, s.licence])
    for split in ("unseen", "train"):
        (cache / split).mkdir(exist_ok=True)
    render([s for s in every if s.is_unseen()], cache / "unseen", cache / "work", options.threefold, 0)
    for variant in range(options.variants + 1):
        render([s for s in every if not s.is_unseen()], cache / "train", cache / "work", options.threefold, variant)


if __name__ == "__main__":
    main()
