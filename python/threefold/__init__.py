"""Three calibrated views of an object to a triangle mesh, and meshes measured: docs/PYTHON.md.

Lengths are in object units: an object's box has a diagonal of 0.57. Meshes are in the space of the
first view's camera; Camera.to_world() leads out of it. An array is whatever numpy.asarray takes, a
tensor of torch too, and is not copied where it is float32 (faces: uint32) and its rows lie one after
another. A mesh is a file, points (N, 3), (vertices, faces), or an object with `vertices` or `points`
and maybe `faces` or `triangles`: a Result, a Truth, trimesh's and Open3D's. All functions may be
called from several threads, let others run while they compute, and end on Ctrl-C.
"""

import html
import json
import os
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional, Union

import numpy
from numpy.typing import ArrayLike, NDArray

from . import _engine
from ._engine import Camera, Result, Sample, Truth, bundled_samples
from ._engine import version as __version__
from ._errors import (Cancelled, DeviceError, Error, FormatError, InputError, IoError, ModelError,
                      NotThisFormat, UsageError)

__all__ = ["Camera", "Hull", "Page", "Reconstructor", "Result", "Sample", "Truth", "bundled_samples",
           "compare", "distances", "emd", "fit", "hull", "load_sample", "nearest", "render", "score", "show",
           "Cancelled", "DeviceError", "Error", "FormatError", "InputError", "IoError", "ModelError",
           "NotThisFormat", "UsageError", "__version__"]
Path = Union[str, os.PathLike]
Mesh = Any
Images = Union[Sample, Sequence[ArrayLike]]
Cameras = Optional[Sequence[Camera]]


def _array(value: Any, dtype: Any, subject: str, wanted: str, last: Sequence[int]) -> NDArray:
    try:
        bare = hasattr(value, "__dlpack__") and not hasattr(value, "__array__")
        given = numpy.asarray(numpy.from_dlpack(value) if bare else value)
        array = numpy.asarray(given, dtype, order="C")
        exact = dtype is numpy.float32 or (given.dtype.kind in "iu" and (array == given).all())
        problem = f"is {given.shape} {given.dtype}" if exact else f"has {given.dtype} values beyond it"
        if exact and array.ndim == wanted.count(",") + 1 and array.shape[-1] in last:
            return array
    except (TypeError, ValueError, OverflowError, RuntimeError, BufferError) as error:
        problem = f"is no array: {error}"
    problem, remedy = f"{problem}, not {wanted}", "Pass an array of the processor's memory."
    raise InputError(f"{subject}: {problem}. {remedy}", subject, "", problem, remedy)


def _vertices(value: Any, subject: str) -> NDArray:
    """As float32, or as float64 where they are given so."""
    single = _array(value, numpy.float32, subject, "(N, 3) float32", [3])
    given = numpy.asarray(value) if hasattr(value, "__array__") else single
    return given if given.dtype == numpy.float64 else single


def _together(*meshes: tuple) -> tuple:
    """The same meshes with float32 vertices, less one origin where float32 would round their shapes."""
    origin = 0
    last = meshes[-1][0]
    if len(last) > 1 and any(mesh[0].dtype == numpy.float64 for mesh in meshes):
        low, high = last.min(0), last.max(0)
        if numpy.abs([low, high]).max() > 32 * numpy.linalg.norm(high - low):
            origin = low
    return tuple((numpy.ascontiguousarray(vertices - origin if numpy.any(origin) else vertices,
                                          numpy.float32), *more) for vertices, *more in meshes)


def _mesh(value: Mesh, subject: str) -> tuple:
    """Vertices, float64 where they may lie far from 0, and faces and normals or None."""
    if isinstance(value, (str, os.PathLike)):
        vertices, faces, normals, origin = _engine.read_mesh(value)
        return vertices + numpy.float64(origin) if any(origin) else vertices, faces, normals
    vertices = getattr(value, "vertices", getattr(value, "points", value))
    faces = getattr(value, "faces", getattr(value, "triangles", None))
    normals = None if faces is not None else getattr(value, "normals", None)
    if isinstance(value, tuple) and len(value) == 2:
        vertices, faces = value
    rows = "(N, 3) "
    vertices = _vertices(vertices, subject)
    if isinstance(value, Truth) and any(value.origin):
        vertices = vertices + numpy.float64(value.origin)
    if faces is not None:
        faces = _array(faces, numpy.uint32, f"{subject}: faces", rows + "uint32", [3])
    if normals is not None:
        normals = _array(normals, numpy.float32, f"{subject}: normals", rows + "float32", [3])
    return vertices, faces, normals if normals is not None and len(normals) == len(vertices) else None


def _surface(truth: Truth) -> tuple:
    """Vertices and faces of a truth with faces, as _mesh() has them."""
    vertices, faces = truth.surface
    return vertices + numpy.float64(truth.origin) if any(truth.origin) else vertices, faces, None


def _sample(images: Images, cameras: Cameras) -> Sample:
    if isinstance(images, Sample):
        return images
    pixels: list[NDArray] = []
    for image in images:
        wanted = "(height, width, 3 or 4) uint8"
        array = _array(image, numpy.uint8, f"images[{len(pixels)}]", wanted, [3, 4])
        white = numpy.full((*array.shape[:2], 4 - array.shape[2]), 255, numpy.uint8)
        pixels.append(numpy.concatenate([array, white], axis=2))
    return Sample(pixels, list(cameras or []))


class Hull(NamedTuple):
    """A closed mesh in the first view's space: (V, 3) float32, object units; (F, 3) uint32; and which
    views it does not follow, a sentence each."""

    vertices: NDArray[numpy.float32]
    faces: NDArray[numpy.uint32]
    notes: list[str]

    def _repr_html_(self) -> str:
        return show(hull=self)._repr_html_()


def load_sample(path: Path, views: Optional[Sequence[int]] = None, *, images: Path = "",
                truths: Path = "") -> Sample:
    """Reads a sample's folder, one of its images, a camera file, or a name (02691156_p0001_00.dat) in
    the folder `images`. `views`: 2 to 8 numbers, the first is the reference; None: 0, 6, 7 of
    renderings, else three that suit. `truths`: the truths' folder. Raises IoError, FormatError,
    InputError."""
    return _engine.load_sample(path, views, images, truths)


def render(mesh: Mesh, *, views: int = 0, size: int = 137, points: int = 10_000, seed: int = 0,
           azimuth: str = "", elevation: str = "", distance: str = "", z_up: bool = False,
           as_is: bool = False, name: str = "") -> Sample:
    """A sample in memory, as `threefold render` writes it: `views` pictures (0: 24, or as a list
    has) of size × size pixels, and a truth of `points` points with normals. A mesh's file comes with
    its materials; it is centred and scaled unless `as_is`. Degrees and object units: "30", "0,90",
    "0:345:15", or random by `seed` and `name` "25..30". Raises IoError, FormatError, InputError,
    UsageError."""
    file = mesh if isinstance(mesh, (str, os.PathLike)) else ""
    return _engine.render(file, None if file else _together(_mesh(mesh, "mesh"))[0], name, z_up, as_is, views, seed,
                          size, points, azimuth, elevation, distance)


class Reconstructor(_engine.Network):
    """A model on a device. Opening one takes half a second: keep it. Threads that share one take
    turns. `description` names the device, `model_hash` is the SHA-256 of the model's file."""

    def __init__(self, model: Optional[Path] = None, backend: str = "auto",
                 precision: Optional[str] = None, threads: Optional[int] = None) -> None:
        """`model`: a file of `threefold convert`; None: the one that comes along. `backend`: cpu, cuda
        ($THREEFOLD_CUDA_PLUGIN names the plug-in), or auto, a GPU where there is one. `precision`:
        float32, bfloat16, int8, on a GPU also tfloat32, float16; None: float32, on a GPU float16.
        `threads`: of the processor; None: all. Raises IoError, FormatError, ModelError, DeviceError,
        UsageError."""
        super().__init__(model, backend, precision, threads or 0)

    def reconstruct(self, images: Images, cameras: Cameras = None) -> Result:
        """Of a sample, or of 2 to 8 square images on white or transparent, (height, width, 3 or 4)
        uint8, and as many cameras: the same bits as `threefold reconstruct`. Raises InputError,
        DeviceError."""
        return super().reconstruct(_sample(images, cameras))


def fit(result: Result, images: Images, cameras: Cameras = None, views: str = "auto",
        threads: int = 0, *, surface: str = "", colour: bool = False, vertices: int = 0) -> Result:
    """The result with `fitted`: its refined mesh moved until its silhouettes agree with a sample's
    photographs, or with images and cameras, whose first is the result's; or the photographs' own
    surface. `views`, of a sample: chosen, all or a number; auto: of six or more photographs of one's
    own all, with 10 000 vertices, as `threefold reconstruct` fits them, else the chosen. `surface`:
    network, hull, depth or auto, the default: with six or more, the hull if it agrees as well with
    photographs left out, moved by depth for photographs of one's own; else network.
    `colour`: agree with colours too. `vertices`: about as many, 100 to 200 000. Runs on the processor.
    Raises InputError, UsageError."""
    words = [views] + ["colour"] * colour + [surface] * bool(surface)
    words += [f"{vertices}vertices"] * bool(vertices)
    return _engine.fit(result, _sample(images, cameras), "+".join(words), threads)


def hull(images: Images, cameras: Cameras = None, vertices: int = 10_000, threads: int = 0) -> Hull:
    """The largest shape within all silhouettes of a sample, or of images with cameras, of about as
    many vertices. Raises InputError."""
    return Hull(*_engine.hull(_sample(images, cameras), vertices, threads))


def score(mesh: Mesh, truth: Mesh, tau: float = 1e-4, protocol: str = "published",
          emd: bool = False) -> dict[str, Any]:
    """Measures by the keys of `threefold score --json`: chamfer (object units squared), f_tau,
    precision_tau, recall_tau (percent, at the squared distance tau), hausdorff (object units),
    normal_consistency (0 to 1), with `emd` that (object units). Both are in one space. `protocol`:
    published takes the mesh's vertices, surface 10 000 points of its faces; of a truth with faces as
    many are taken. surface_mean, surface_median, surface_p95, surface_largest sum up distances(), of a
    truth with faces, whatever the protocol; else they are None. Raises InputError, UsageError."""
    if isinstance(truth, (str, os.PathLike)):
        truth = _engine.read_truth(truth)
    both = [_mesh(mesh, "mesh"), _mesh(truth, "truth")]
    if isinstance(truth, Truth) and truth.surface:
        both.append(_surface(truth))
    given, points, *surface = _together(*both)
    return _engine.score(given, points, tau, protocol, emd, surface[0] if surface else None)


def distances(mesh: Mesh, truth: Mesh, signed: bool = False) -> NDArray[numpy.float32]:
    """Of each vertex of the mesh the distance from the truth's surface, exact, as the window shows
    it: (N,), object units, not squared; from the nearest point of a truth without faces. `signed`:
    negative inside, of a watertight truth with outward faces. Both are in one space. Raises
    InputError."""
    if isinstance(truth, (str, os.PathLike)):
        truth = _engine.read_truth(truth)
    whole = _surface(truth) if isinstance(truth, Truth) and truth.surface else _mesh(truth, "truth")
    return _engine.distances(*_together(_mesh(mesh, "mesh"), whole), signed)


def nearest(queries: Mesh, reference: Mesh) -> tuple[NDArray[numpy.float64], NDArray[numpy.uint32]]:
    """Of each of N points the nearest of the others, exact: (N,) squared distances and (N,) indices.
    Raises InputError."""
    both = _together(_mesh(queries, "queries"), _mesh(reference, "reference"))
    return _engine.nearest(both[0][0], both[1][0])


def emd(first: Mesh, second: Mesh) -> tuple[float, float, bool]:
    """The earth mover's distance, object units: (distance, lower bound of the true one, whether it is
    exact), which it is up to 2048 points on each side; Ctrl-C waits for that, up to three seconds.
    Raises InputError."""
    both = _together(_mesh(first, "first"), _mesh(second, "second"))
    return _engine.emd(both[0][0], both[1][0])


def compare(first: Path, second: Path, protocol: str = "published",
            page: Optional[Path] = None) -> dict[str, Any]:
    """Two folders of `threefold eval`, sample by sample, as `threefold compare --json` has it;
    compare.html goes into the folder `page`. Raises IoError, FormatError, InputError."""
    return json.loads(_engine.compare(first, second, protocol, page))


class Page:
    """A page of meshes that turn: it shows itself in a notebook, which keeps it when it is saved."""

    def __init__(self, text: str, height: int = 700) -> None:
        """`text`: HTML, one file without network access. `height`: of its frame, in pixels."""
        self.text, self.height = text, height

    def save(self, path: Path) -> None:
        """Writes the page to a file for any browser. Raises OSError."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.text)}" sandbox="allow-scripts" width="100%" '
                f'height="{self.height}" style="border:0"></iframe>')


def show(*things: Union[Result, Sample, Truth, Hull], columns: Optional[Sequence[str]] = None,
         colour: str = "distance", title: str = "", height: int = 700, **meshes: Mesh) -> Page:
    """A page of a result side by side with its sample's photographs and truth, as far as they are
    given: show(result, sample). Further meshes have names: show(result, mine=vertices). All are in
    the first view's space. With a truth, meshes are coloured by their distance to it and measured.
    `columns`: names of the meshes to show, in order; None: all. `colour`: distance, plain or normals.
    Raises InputError, UsageError."""
    for thing in things:
        if not isinstance(thing, (Result, Sample, Truth, Hull)):
            problem, remedy = f"a {type(thing).__name__} is none of its things", (
                "Give a Result, Sample, Truth or Hull, and meshes by name: show(result, mine=vertices).")
            raise UsageError(f"show: {problem}. {remedy}", "show", "", problem, remedy)

    def only(kind):
        found = [thing for thing in things if isinstance(thing, kind)]
        if len(found) > 1:
            problem, remedy = f"{len(found)} things are a {kind.__name__}", (
                "Give one, and the meshes of others by name: show(result, other=other.fitted).")
            raise UsageError(f"show: {problem}. {remedy}", "show", "", problem, remedy)
        return found[0] if found else None

    sample, result, hull = only(Sample), only(Result), only(Hull)
    truth = only(Truth)
    if truth is None and sample is not None:
        truth = sample.truth
    camera = result.camera if result is not None else sample.cameras[0] if sample is not None else None
    named: dict[str, tuple] = {}
    if result is not None:
        for name in ("coarse", "refined"):
            if getattr(result, name) is not None:
                named[name] = (getattr(result, name), result.coarse_faces)
        if result.fitted is not None:
            named["fitted"] = (result.fitted, result.faces)
    if hull is not None:
        named["hull"] = (hull.vertices, hull.faces)
    leading = {"coarse", "refined"} if result is not None else set(named) | set(meshes)
    given = {name: _mesh(mesh, name) for name, mesh in {**named, **meshes}.items()}
    shown = list(given) + ["truth"] * (truth is not None) if columns is None else list(columns)
    unknown = [name for name in shown if name not in given and (name != "truth" or truth is None)]
    kinds = {"distance": "values", "plain": "plain", "normals": "normals"}
    problem, remedy = "", ""
    if unknown:
        problem, remedy = f"there is no {unknown[0]}", f"Choose of {', '.join([*given, 'truth'])}."
    if colour not in kinds:
        problem, remedy = f"colour: {colour!r} is none", f"Use {', '.join(kinds)}."
    if problem:
        raise UsageError(f"show: {problem}. {remedy}", "show", "", problem, remedy)
    picked = [name for name in shown if name in given]
    true = [] if truth is None else [_mesh(truth, "truth")]
    moved = _together(*[given[name] for name in picked], *true) if picked or true else ()
    columns_given = [(name, mesh, name in leading) for name, mesh in zip(picked, moved)]
    compared = moved[-1] if true else None
    name = title or (sample.name if sample is not None else "") or "Threefold"
    return Page(_engine.page(name, sample, camera, columns_given, compared, "truth" in shown, kinds[colour]), height)


for _kind in (Result, Sample, Truth):
    _kind._repr_html_ = lambda self: show(self)._repr_html_()
