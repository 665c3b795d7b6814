"""Reconstructs triangle meshes from calibrated views, and measures meshes (docs/PYTHON.md).

Lengths are in object units: an object's box has a diagonal of 0.57. Meshes are in the space of the
first view's camera; Camera.to_world() transforms points from camera to world space. Arrays:
anything that numpy.asarray() accepts, including torch tensors; float32 (faces: uint32) C-contiguous
arrays are not copied unless they are far from 0. Vertices far from 0 keep their shape if they are
float64: as those of files, they are measured relative to a point near the mesh. A mesh is a file,
points (N, 3), (vertices, faces), or an object with `vertices` or `points` and optional `faces` or
`triangles`, such as a Result, a Truth, or a mesh or cloud of trimesh or Open3D. All functions may be
called from several threads and release the GIL while they compute. Ctrl-C ends load_sample, render,
reconstruct, fit, hull and emd; the other functions raise KeyboardInterrupt when they have finished.
"""

import json
import os
import warnings
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple, Optional, Union

import numpy
from numpy.typing import ArrayLike, NDArray

from . import _engine
from ._engine import Camera, Result, Sample, Truth, bundled_samples
from ._engine import version as __version__
from ._errors import (Cancelled, DeviceError, Error, FormatError, InputError, IoError, ModelError,
                      NotThisFormat, UsageError)

__all__ = ["Camera", "EarthMoversDistance", "Hull", "Page", "Reconstructor", "Result", "Sample", "Truth",
           "bundled_samples", "compare", "distances", "emd", "fit", "hull", "load_sample", "nearest",
           "render", "score", "show", "Cancelled", "DeviceError", "Error", "FormatError", "InputError",
           "IoError", "ModelError", "NotThisFormat", "UsageError", "__version__"]
Path = Union[str, os.PathLike]
#: A file, points (N, 3), (vertices, faces), or an object with `vertices` or `points`; see the module's docstring.
MeshLike = Any
#: A sample, or images: (height, width, 3 or 4) uint8.
Images = Union[Sample, Sequence[ArrayLike]]
#: A camera for each image; None if the images are a sample.
Cameras = Optional[Sequence[Camera]]


def _array(value: Any, dtypes: Sequence[Any], subject: str, wanted: str, ndim: int,
           last_sizes: Sequence[int]) -> NDArray:
    """Returns a C-contiguous array with `ndim` dimensions, whose last size is one of `last_sizes`. Its type is the
    given one if that is one of `dtypes`, otherwise the first of these. Raises InputError, in which `wanted` describes
    such an array."""
    remedy = f"Pass {wanted}."
    try:
        bare = hasattr(value, "__dlpack__") and not hasattr(value, "__array__")
        given = numpy.asarray(numpy.from_dlpack(value) if bare else value)
        array = numpy.asarray(given, given.dtype if given.dtype in dtypes else dtypes[0], order="C")
        to_integers = array.dtype.kind == "u"
        if to_integers and given.dtype.kind not in "iu":
            problem = f"is {given.dtype}"
        elif to_integers and not (array == given).all():
            problem = f"has values outside 0…{numpy.iinfo(array.dtype).max}"
        elif array.ndim != ndim or array.shape[-1] not in last_sizes:
            problem = f"is {given.shape} {given.dtype}"
        else:
            return array
    except (TypeError, ValueError, OverflowError, RuntimeError, BufferError) as error:
        problem = f"is no array: {error}"
        if hasattr(value, "__dlpack__"):  # it may be a tensor in a GPU's memory
            remedy = "Pass an array in the processor's memory."
    problem = f"{problem}, not {wanted}"
    raise InputError(f"{subject}: {problem}. {remedy}", subject, "", problem, remedy)


def _mesh(value: MeshLike, subject: str) -> tuple:
    """Returns vertices, faces and normals, or None for each of these two, and the origin of the vertices, or None for
    arrays: the engine chooses their origin as it does for files."""
    if isinstance(value, (str, os.PathLike)):
        return _engine.read_mesh(value)
    vertices = getattr(value, "vertices", getattr(value, "points", value))
    faces = getattr(value, "faces", getattr(value, "triangles", None))
    normals = None if faces is not None else getattr(value, "normals", None)
    if isinstance(value, tuple) and len(value) == 2:
        vertices, faces = value
    rows = "(N, 3) "
    vertices = _array(vertices, [numpy.float32, numpy.float64], subject, rows + "float32", 2, [3])
    if faces is not None:
        faces = _array(faces, [numpy.uint32], f"{subject}: faces", rows + "uint32", 2, [3])
    if normals is not None:
        normals = _array(normals, [numpy.float32], f"{subject}: normals", rows + "float32", 2, [3])
        normals = normals if len(normals) == len(vertices) else None
    origin = None
    if isinstance(value, (Hull, Result)):
        origin = (0.0, 0.0, 0.0)
    elif isinstance(value, Truth):
        origin = value.origin
    return vertices, faces, normals, origin


def _truth(value: MeshLike) -> Union[Truth, tuple]:
    """Returns a truth as the engine takes it: a Truth, or a mesh in the form of _mesh()."""
    if isinstance(value, (str, os.PathLike)):
        return _engine.read_truth(value)
    return value if isinstance(value, Truth) else _mesh(value, "truth")


def _thread_count(threads: Optional[int]) -> int:
    """Converts a number of threads to the engine's, in which 0 means all."""
    return 0 if threads is None else threads


def _sample(images: Images, cameras: Cameras) -> Sample:
    """Returns `images` if it is a sample, otherwise makes a sample of images, (height, width, 3 or 4) uint8, and their
    cameras. Raises InputError."""
    if isinstance(images, Sample):
        return images
    pixels: list[NDArray] = []
    for image in images:
        wanted = "(height, width, 3 or 4) uint8"
        array = _array(image, [numpy.uint8], f"images[{len(pixels)}]", wanted, 3, [3, 4])
        white = numpy.full((*array.shape[:2], 4 - array.shape[2]), 255, numpy.uint8)
        pixels.append(numpy.concatenate([array, white], axis=2))
    return Sample(pixels, list(cameras or []))


class Hull(NamedTuple):
    """A visual hull: a closed mesh in the first view's space, as hull() returns it."""

    vertices: NDArray[numpy.float32]  #: (V, 3), object units
    faces: NDArray[numpy.uint32]  #: (F, 3)
    notes: list[str]  #: views that the mesh does not follow, a sentence each

    def _repr_html_(self) -> str:
        return show(hull=self)._repr_html_()


class EarthMoversDistance(NamedTuple):
    """The earth mover's distance of two clouds, as emd() returns it."""

    distance: float  #: object units
    lower_bound: float  #: lower bound of the exact distance, object units
    exact: bool  #: whether `distance` is exact


def load_sample(path: Path, views: Optional[Sequence[int]] = None, *, images: Path = "",
                truths: Path = "") -> Sample:
    """Reads a sample.

    Args:
        path: A sample's folder, one of its images, a camera file, or a name (02691156_p0001_00.dat) in
            the folder `images`.
        views: 2 to 8 numbers of views, the first is the reference view; None: 0, 6, 7 for ShapeNet
            renderings, otherwise three views that the program suggests.
        images: Folder that holds the samples, if `path` is a name.
        truths: Folder that holds the truths.

    Raises IoError, FormatError, InputError.
    """
    return _engine.load_sample(path, views, images, truths)


def render(mesh: MeshLike, *, views: Optional[int] = None, size: int = _engine.DEFAULT_SIDE,
           points: int = _engine.DEFAULT_POINTS, seed: int = _engine.DEFAULT_SEED, azimuth: Optional[str] = None,
           elevation: Optional[str] = None, distance: Optional[str] = None, z_up: bool = False,
           as_is: bool = False, name: Optional[str] = None) -> Sample:
    """Renders a sample in memory, as `threefold render` writes it.

    Args:
        mesh: A file, which is rendered with its materials; (vertices (V, 3), faces (F, 3)); or an object with
            `vertices` and `faces` or `triangles`.
        views: Number of pictures, 2 to 1000; None: 24, or the length of a list of angles or distances.
        size: Side of each picture, pixels.
        points: Number of the truth's points, which have normals.
        seed: Determines random angles and distances, together with `name`.
        azimuth, elevation, distance: Degrees and object units: "30", "0,90", "0:345:15", or random "25..30";
            None: random 0..360, 25..30 and 0.65..0.98.
        z_up: Whether the mesh's z axis points up, not y.
        as_is: Whether the mesh is neither centred nor scaled.
        name: Name of the sample; None: from the file, empty without one.

    Raises IoError, FormatError, InputError, UsageError.
    """
    file = mesh if isinstance(mesh, (str, os.PathLike)) else ""
    given = None if file else _mesh(mesh, "mesh")
    return _engine.render(file=file, mesh=given, name=name or "", z_up=z_up, as_is=as_is, views=views, seed=seed,
                          size=size, points=points, azimuth=azimuth, elevation=elevation, distance=distance)


class Reconstructor(_engine.ReconstructorBase):
    """A model on a device. Opening a model takes half a second: keep the object. Threads that share it
    take turns. `description` names the device, `model_hash` is the SHA-256 of the model's file."""

    def __init__(self, model: Optional[Path] = None, backend: str = "auto",
                 precision: Optional[str] = None, threads: Optional[int] = None) -> None:
        """Opens a model on a device.

        Args:
            model: A file of `threefold convert`; None: the bundled model.
            backend: cpu, cuda ($THREEFOLD_CUDA_PLUGIN names the plug-in), or auto: a GPU if usable, otherwise
                the processor.
            precision: float32, bfloat16, int8, on a GPU also tfloat32, float16; None: float32, on a GPU
                float16.
            threads: Number of processor threads; None: all.

        Raises IoError, FormatError, ModelError, DeviceError, UsageError.
        """
        super().__init__(model, backend, precision, _thread_count(threads))

    def reconstruct(self, images: Images, cameras: Cameras = None) -> Result:
        """Reconstructs one object. The result equals that of `threefold reconstruct` in all bits.

        Args:
            images: A sample, or 2 to 8 square images with white or transparent background,
                (height, width, 3 or 4) uint8.
            cameras: As many as images; None with a sample.

        Raises InputError, DeviceError.
        """
        return super().reconstruct(_sample(images, cameras))


def fit(result: Result, images: Images, cameras: Cameras = None, views: str = "auto",
        threads: Optional[int] = None, *, surface: Optional[str] = None, colour: bool = False,
        vertices: Optional[int] = None) -> Result:
    """Fits the result to photographs: returns the result with `fitted`.

    The start mesh moves until its silhouettes agree with the photographs. Runs on the processor.

    Args:
        images: A sample, or square images with white or transparent background, (height, width, 3 or 4) uint8.
        cameras: As many as images, the first is the result's; None with a sample.
        views: Photographs of a sample: chosen, all or a number; auto: all (10 000 vertices) if the sample has six
            or more photographs of your own, as in `threefold reconstruct`; otherwise the chosen views.
        threads: Number of processor threads; None: all.
        surface: Start mesh: network, hull, depth or auto; None: auto. With six or more photographs, auto takes the
            hull, moved by depth for photographs of your own, unless the network's mesh agrees clearly better with
            photographs that are left out for a test; otherwise it takes network.
        colour: Whether the fit also compares colours.
        vertices: Approximate number of vertices, 100 to 200 000; None: as `views` says.

    Raises InputError, UsageError.
    """
    return _engine.fit(result=result, sample=_sample(images, cameras), views=views, surface=surface,
                       colour=colour, vertices=vertices, threads=_thread_count(threads))


def hull(images: Images, cameras: Cameras = None, vertices: int = _engine.DEFAULT_HULL_VERTICES,
         threads: Optional[int] = None) -> Hull:
    """Computes the visual hull: the largest shape inside all silhouettes.

    Args:
        images: A sample, or square images with white or transparent background, (height, width, 3 or 4) uint8.
        cameras: As many as images; None with a sample.
        vertices: Approximate number of vertices, 100 to 200 000.
        threads: Number of processor threads; None: all.

    Raises InputError, UsageError.
    """
    return Hull(*_engine.hull(_sample(images, cameras), vertices, _thread_count(threads)))


def score(mesh: MeshLike, truth: MeshLike, tau: float = _engine.DEFAULT_TAU,
          protocol: str = _engine.DEFAULT_PROTOCOL, emd: bool = False) -> dict[str, Any]:
    """Measures a mesh against a truth in the same space, by the keys of `threefold score --json`.

    Args:
        mesh: The mesh to measure, or points.
        truth: A file of a truth, a Truth, a mesh or points.
        tau: Squared distance of the F-score, object units squared.
        protocol: published measures the mesh's vertices, surface 10 000 points sampled on its faces. A truth
            with faces is sampled at 10 000 points in both.
        emd: Whether to compute the earth mover's distance as well.

    Returns:
        chamfer (object units squared); f_tau, precision_tau, recall_tau (percent, at the squared distance
        tau); hausdorff (object units); normal_consistency (0 to 1); with `emd`, emd (object units).
        surface_mean, surface_median, surface_p95, surface_largest summarise distances() in all protocols, if
        the truth has faces; otherwise they are None.

    Raises InputError, UsageError.
    """
    return _engine.score(_mesh(mesh, "mesh"), _truth(truth), tau, protocol, emd)


def distances(mesh: MeshLike, truth: MeshLike, signed: bool = False) -> NDArray[numpy.float32]:
    """Computes each vertex's exact distance from the truth's surface, as the window shows it.

    Both must be in the same space. If the truth has no faces, distances are to its nearest point.

    Args:
        mesh: The mesh or points whose N vertices are measured.
        truth: A file of a truth, a Truth, a mesh or points.
        signed: Whether distances inside are negative. The truth must be watertight, with outward faces.

    Returns:
        (N,), object units, not squared.

    Raises InputError.
    """
    return _engine.distances(_mesh(mesh, "mesh"), _truth(truth), signed)


def nearest(queries: MeshLike, reference: MeshLike) -> tuple[NDArray[numpy.float64], NDArray[numpy.uint32]]:
    """Finds the exact nearest reference point of each query point.

    Args:
        queries: N points, or a mesh, whose vertices are the points.
        reference: Points in the same space, or a mesh, whose vertices are the points.

    Returns:
        Squared distances, (N,), object units squared; and indices into `reference`, (N,).

    Raises InputError.
    """
    return _engine.nearest(_mesh(queries, "queries"), _mesh(reference, "reference"))


def emd(first: MeshLike, second: MeshLike) -> EarthMoversDistance:
    """Computes the earth mover's distance of two clouds, object units.

    The distance is exact for clouds of up to 2048 points; this computation, of up to three seconds, cannot be
    interrupted.

    Args:
        first, second: Points in the same space, or meshes, whose vertices are the points.

    Raises InputError.
    """
    return EarthMoversDistance(*_engine.emd(_mesh(first, "first"), _mesh(second, "second")))


def compare(first: Path, second: Path, protocol: str = _engine.DEFAULT_PROTOCOL,
            page: Optional[Path] = None) -> dict[str, Any]:
    """Compares two folders of `threefold eval` sample by sample, as `threefold compare --json` does.

    Args:
        first, second: Folders that `threefold eval` wrote.
        protocol: published or surface.
        page: Folder into which compare.html is written; None: no page.

    Raises IoError, FormatError, InputError.
    """
    return json.loads(_engine.compare(first, second, protocol, page))


class Page:
    """A page of interactive 3D meshes. A notebook shows the page, and keeps it when the notebook is saved."""

    def __init__(self, html: str, height: int = 700) -> None:
        """Makes a page of self-contained `html`. `height`: height of its frame in a notebook, pixels."""
        self.html, self.height = html, height

    @property
    def text(self) -> str:
        """Earlier name of `html`. Warns with DeprecationWarning."""
        warnings.warn("Page.text is named Page.html now", DeprecationWarning, stacklevel=2)
        return self.html

    def save(self, path: Path) -> None:
        """Writes the page to a file for any browser. Raises OSError."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{escape(self.html)}" sandbox="allow-scripts" width="100%" '
                f'height="{self.height}" style="border:0"></iframe>')


def _usage(problem: str, remedy: str) -> UsageError:
    """Makes a UsageError of show()."""
    return UsageError(f"show: {problem}. {remedy}", "show", "", problem, remedy)


def _single(kind: type, objects: Sequence) -> Any:
    """Returns the object of type `kind`, or None. Raises UsageError if there are several, or an object that show() does
    not accept."""
    for each in objects:
        if not isinstance(each, (Result, Sample, Truth, Hull)):
            raise _usage(f"show() takes no {type(each).__name__}",
                         "Give a Result, Sample, Truth or Hull, and meshes by name: show(result, mine=vertices).")
    found = [each for each in objects if isinstance(each, kind)]
    if len(found) > 1:
        raise _usage(f"{len(found)} objects are a {kind.__name__}",
                     "Give one, and the meshes of others by name: show(result, other=other.fitted).")
    return found[0] if found else None


class _Shown(NamedTuple):
    """The objects that were given to show(), at most one of each type."""

    sample: Optional[Sample]
    result: Optional[Result]
    truth: Optional[Truth]  #: the given one, or the sample's
    hull: Optional[Hull]

    @property
    def camera(self) -> Optional[Camera]:
        """The camera in whose space the meshes are, if it is known."""
        if self.result is not None:
            return self.result.camera
        return self.sample.cameras[0] if self.sample is not None else None


def _shown(objects: Sequence) -> _Shown:
    """Sorts the objects of show() by type. Raises UsageError as _single()."""
    sample, truth = _single(Sample, objects), _single(Truth, objects)
    if truth is None and sample is not None:
        truth = sample.truth
    return _Shown(sample, _single(Result, objects), truth, _single(Hull, objects))


def _named_meshes(result: Optional[Result], hull: Optional[Hull]) -> dict[str, tuple]:
    """Returns vertices and faces of the result's meshes and of the hull, by their names on the page."""
    named: dict[str, tuple] = {}
    if result is not None:
        for name in _engine.PUBLISHED_STAGES:
            if name in result.stages:
                named[name] = (result.stages[name], result.coarse_faces)
        if result.fitted is not None:
            named["fitted"] = (result.fitted, result.faces)
    if hull is not None:
        named["hull"] = (hull.vertices, hull.faces)
    return named


def _column_names(given: dict[str, tuple], truth: Optional[Truth],
                  columns: Optional[Sequence[str]]) -> list[str]:
    """Returns the names of the columns that show() shows, in order. Raises UsageError for an unknown or repeated
    name."""
    available = [*given, "truth"] if truth is not None else list(given)
    names = available if columns is None else list(columns)
    unknown = [name for name in names if name not in available]
    if unknown:
        remedy = f"Choose from {', '.join(available)}." if available else "Pass a result or meshes by name."
        raise _usage(f"there is no {unknown[0]}", remedy)
    repeated = [name for i, name in enumerate(names) if name in names[:i]]
    if repeated:
        raise _usage(f"columns names {repeated[0]} twice", "Name each once.")
    return names


def show(*objects: Union[Result, Sample, Truth, Hull], columns: Optional[Sequence[str]] = None,
         colour: str = "distance", title: str = "", height: int = 700, **meshes: MeshLike) -> Page:
    """Makes a page of a result beside its sample's photographs and truth: show(result, sample).

    All meshes are in the first view's space. With a truth, meshes are coloured by their distance to it and
    measured.

    Args:
        objects: At most one Result, Sample, Truth and Hull.
        columns: Names of the meshes to show, in order; None: all.
        colour: distance, plain or normals.
        title: Heading; empty: the sample's name.
        height: Height of the page's frame in a notebook, pixels.
        meshes: Further meshes by name: show(result, mine=vertices).

    Raises InputError, UsageError.
    """
    shown = _shown(objects)
    if colour not in _engine.COLOURINGS:
        raise _usage(f"colour: {colour!r} is unknown", f"Use {', '.join(_engine.COLOURINGS)}.")
    named = _named_meshes(shown.result, shown.hull)
    taken = [name for name in meshes if name == "truth" or name in named]
    if taken:
        raise _usage(f"the name {taken[0]} is taken", "Use another name.")
    named.update(meshes)
    given = {name: _mesh(mesh, name) for name, mesh in named.items()}
    main = set(_engine.PUBLISHED_STAGES) if shown.result is not None else set(given)
    names = _column_names(given, shown.truth, columns)
    page_columns = [(name, given[name], name in main) for name in names if name in given]
    heading = title or (shown.sample.name if shown.sample is not None else "") or "Threefold"
    page = _engine.page(title=heading, sample=shown.sample, camera=shown.camera, columns=page_columns,
                        truth=shown.truth, show_truth="truth" in names, colour=colour)
    return Page(page, height)


for _kind in (Result, Sample, Truth):
    _kind._repr_html_ = lambda self: show(self)._repr_html_()
