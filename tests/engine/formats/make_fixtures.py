"""Makes data/good and data/broken, the small files that the tests of engine/formats read.

Run by hand after a change: python3 tests/engine/formats/make_fixtures.py
Needs numpy, scipy and pillow. The tests themselves never run it.
"""
import collections
import io
import json
import os
import pathlib
import pickle
import struct
import zipfile
import zlib

import numpy as np
import scipy.sparse
from PIL import Image

HERE = pathlib.Path(__file__).parent / "data"
GOOD, BROKEN = HERE / "good", HERE / "broken"


def write(folder, name, content):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


# Pickles -----------------------------------------------------------------------------------------

def dialect_value():
    """Value that is written in every protocol, and that pickle_dialects_test.cpp expects."""
    ramp = np.arange(24)
    return {
        "none": None,
        "flags": [True, False],
        "integers": [0, 255, 256, 65535, 65536, -1, 2**31, -2**31 - 1, 2**63 - 1, -2**63],
        "floats": (1.5, -0.25, 1e300),
        "text": "mesh äΩ€😀\n\\u0041",
        "bytes": b"\x00\x80\xff'\"\\\n",
        "nested": [(), (1,), [[2], {"a": 3}]],
        "ordered": collections.OrderedDict([("b", 1), ("a", 2)]),
        "set": {7},
        "f32": ramp[:6].astype("<f4").reshape(2, 3) / 4,
        "fortran": np.asfortranarray(ramp.astype("<f8").reshape(2, 3, 4)),
        "transposed": ramp.astype("<i2").reshape(2, 3, 4).transpose(1, 0, 2),
        "big": np.array([1, -2, 65536], ">i4"),
        "u8": np.array([[0, 255]], "u1"),
        "bool": np.array([True, False, True]),
        "half": np.array([1, -0.5, 65504], "<f2"),
        "empty": np.zeros((0, 3)),
        "scalars": [np.float32(0.75), np.int64(-5), np.bool_(True)],
    }


def python2_pickle():
    """Protocol 1 as written by Python 2: no PROTO, BINSTRING, (image, points) of two dtypes."""
    def array(shape, kind, order, data, fortran=b"I00\n"):
        dims = b"".join(b"K" + bytes([n]) for n in shape)
        return (b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(K\x00tU\x01btR"
                b"(K\x01(" + dims + b"tcnumpy\ndtype\n(U\x02" + kind + b"K\x00K\x01tR"
                b"(K\x03U\x01" + order + b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
                + fortran + b"T" + struct.pack("<i", len(data)) + data + b"tb")
    image = bytes(range(250, 256)) * 2
    points = np.arange(6, dtype="<f4").reshape(3, 2).tobytes()
    return b"(" + array((2, 2, 3), b"u1", b"|", image) + array((2, 3), b"f4", b"<", points,
                                                            b"I01\n") + b"t."


def protocol0_python2():
    """A dictionary in Python 2's text protocol, with an array whose bytes are a repr."""
    data = repr(np.array([1.0, -2.0], "<f8").tobytes())[1:].encode()
    return (b"(dp0\nS'array'\np1\ncnumpy.core.multiarray\n_reconstruct\np2\n(cnumpy\nndarray\np3\n"
            b"(I0\ntp4\nS'b'\np5\ntp6\nRp7\n(I1\n(I2\ntp8\ncnumpy\ndtype\np9\n(S'f8'\np10\nI0\nI1\n"
            b"tp11\nRp12\n(I3\nS'<'\np13\nNNNI-1\nI-1\nI0\ntp14\nbI00\nS" + data +
            b"\np15\ntp16\nbsS'flag'\np17\nI01\nsS'long'\np18\nL-9000000000L\nsS'float'\np19\n"
            b"F-1.5\nsVtext\\u20ac\np20\nS'\\x41\\101\\n\\\\\\'\\t'\np21\nsg21\ng20\ns.")


def sparse_value():
    matrix = scipy.sparse.coo_matrix(
        (np.array([1.5, -2.0, 3.0]), (np.array([0, 1, 1]), np.array([2, 0, 3]))), shape=(2, 4))
    return {"coo": matrix, "csr": matrix.tocsr(), "csc_array": scipy.sparse.csc_array(matrix)}


def old_sparse_pickle():
    """Protocol 2 as written by scipy before 1.8: old module names, row and col."""
    class Old:  # replaces the class; its name in the pickle is changed below
        pass
    old = Old()
    matrix = sparse_value()["coo"]
    old.__dict__.update(_shape=(2, 4), maxprint=50, row=matrix.row, col=matrix.col,
                        data=matrix.data, has_canonical_format=False)
    Old.__module__, Old.__qualname__ = "__main__", "Old"
    globals()["Old"] = Old
    compressed = pickle.dumps(sparse_value()["csr"], 2).replace(b"scipy.sparse._csr\ncsr_matrix",
                                                               b"scipy.sparse.csr\ncsr_matrix")
    coordinates = pickle.dumps(old, 2).replace(b"c__main__\nOld\n",
                                               b"cscipy.sparse.coo\ncoo_matrix\n")
    # A tuple of both matrices. Each keeps its own memo, which is filled before use.
    return (b"\x80\x02" + compressed[2:-1] + coordinates[2:-1] + b"\x86.").replace(
        b"numpy._core", b"numpy.core")


class RunsSomething:
    def __reduce__(self):
        return os.system, ("true",)


def as_os(data):
    """Replaces posix, the actual name of the module, by os."""
    return (data.replace(b"posix\n", b"os\n").replace(b"\x8c\x05posix", b"\x8c\x02os")
            .replace(b"\x95" + struct.pack("<Q", len(data) - 11),
                     b"\x95" + struct.pack("<Q", len(data) - 14)))


def make_pickles():
    for protocol in range(6):
        write(GOOD, f"dialect_{protocol}.pkl", pickle.dumps(dialect_value(), protocol))
    write(GOOD, "python2_1.pkl", python2_pickle())
    write(GOOD, "python2_0.pkl", protocol0_python2())
    for protocol in (0, 4):
        write(GOOD, f"sparse_{protocol}.pkl", pickle.dumps(sparse_value(), protocol))
    for protocol in (0, 2, 4):
        write(BROKEN, f"os_system_{protocol}.pkl",
              as_os(pickle.dumps([1, RunsSomething()], protocol)))
    write(GOOD, "sparse_old.pkl", old_sparse_pickle())


# Arrays ------------------------------------------------------------------------------------------

def arrays():
    ramp = np.arange(12)
    return {"f16": (ramp[:6] / 4).astype("<f2"), "f32": (ramp / 8).astype("<f4").reshape(3, 4),
            "f64": (ramp / 16).astype("<f8").reshape(2, 2, 3),
            "fortran": np.asfortranarray(ramp.astype("<f4").reshape(3, 4)),
            "big": ramp.astype(">f8").reshape(4, 3), "bigfortran":
            np.asfortranarray(ramp.astype(">i2").reshape(2, 6)), "i64": ramp - 6,
            "u8": ramp.astype("u1"), "bool": ramp % 3 == 0, "scalar": np.float32(2.5),
            "empty": np.zeros((0, 5), "f4")}


def npy(array, version=(1, 0)):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version, allow_pickle=True)
    return out.getvalue()


def archive_of(content, method=zipfile.ZIP_STORED):
    """A zip file with one a.npy and a fixed date."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo("a.npy"), content, method)
    return out.getvalue()


def make_arrays():
    for name, save in (("stored.npz", np.savez), ("deflated.npz", np.savez_compressed)):
        out = io.BytesIO()
        save(out, **arrays())
        write(GOOD, name, out.getvalue())
    for major in (1, 2, 3):
        write(GOOD, f"version{major}.npy", npy(arrays()["f32"], (major, 0)))
    good = npy(np.zeros(4, "<f4"))
    shape = b"(4,), }"
    for name, lie in (("many.npy", b"(1099511627776,)}"),
                      ("overflow.npy", b"(4294967296,4294967296,4)}"), ("short.npy", b"(3,)}"),
                      ("negative.npy", b"(-4,)}")):
        at = good.index(shape)
        write(BROKEN, name, (good[:at] + lie).ljust(127) + b"\n" + good[128:])
    write(BROKEN, "objects.npy", npy(np.array([None, 1], object)))
    write(BROKEN, "complex.npy", npy(np.zeros(2, "c8")))
    write(BROKEN, "record.npy", npy(np.zeros(2, [("a", "<f4")])))

    zeros = npy(np.zeros(64, "<f4"))
    packed = bytearray(archive_of(zeros, zipfile.ZIP_DEFLATED))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = packed.index(signature) + offset
        packed[at:at + 4] = struct.pack("<I", 0xfffffff0)
    write(BROKEN, "bomb.npz", bytes(packed))
    flipped = bytearray(archive_of(zeros))
    flipped[flipped.index(b"NUMPY") + 130] ^= 1  # flips a bit of the data
    write(BROKEN, "checksum.npz", bytes(flipped))
    write(BROKEN, "bzip2.npz", archive_of(zeros, zipfile.ZIP_BZIP2))
    write(BROKEN, "notarray.npz", archive_of(b"text"))


def safetensors(header, data, length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def make_safetensors():
    def tensor(dtype, shape, begin, end):
        return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
    good = {"__metadata__": {"sampler": "bilinear-each"}, "a": tensor("F32", [2, 2], 0, 16),
            "b": tensor("BF16", [3], 16, 22), "c": tensor("BOOL", [], 22, 23),
            "none": tensor("I64", [0, 4], 23, 23)}
    data = np.array([1, 2, 3, 4], "<f4").tobytes() + bytes([0x80, 0x3f, 0, 0xc0, 0, 0]) + b"\x01"
    write(GOOD, "four.safetensors", safetensors(good, data))
    for name, header, content in (
            ("overlap", {"a": tensor("U8", [4], 0, 4), "b": tensor("U8", [4], 2, 6)}, 6),
            ("hole", {"a": tensor("U8", [4], 0, 4), "b": tensor("U8", [4], 6, 10)}, 10),
            ("beyond", {"a": tensor("U8", [4], 0, 4)}, 3),
            ("extra", {"a": tensor("U8", [4], 0, 4)}, 5),
            ("many", {"a": tensor("F32", [2**40], 0, 2**42)}, 16),
            ("overflow", {"a": tensor("F32", [2**32, 2**32, 4], 0, 0)}, 0),
            ("contradiction", {"a": tensor("F32", [3], 0, 16)}, 16),
            ("backwards", {"a": tensor("U8", [4], 4, 0)}, 4),
            ("fraction", {"a": tensor("U8", [4.5], 0, 4)}, 4),
            ("type", {"a": tensor("F8_E4M3", [4], 0, 4)}, 4),
            ("metadata", {"__metadata__": {"a": 1}}, 0),
            ("deep", b'{"a":' + b"[" * 100 + b"]" * 100 + b"}", 0),
            ("notjson", b'{"a":', 0)):
        write(BROKEN, f"{name}.safetensors", safetensors(header, bytes(content)))
    write(BROKEN, "header.safetensors", safetensors(good, data, 2**40))


# Images ------------------------------------------------------------------------------------------

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
INTERLACED = ((GREY, 1), (GREY, 16), (RGB, 8), (PALETTE, 4), (GREY_ALPHA, 8), (RGBA, 16))
WIDTH, HEIGHT = 11, 9
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
         (0, 1, 1, 2))


def chunk(kind, content):
    return (struct.pack(">I", len(content)) + kind + content +
            struct.pack(">I", zlib.crc32(kind + content)))


def packed_rows(samples, bits):
    rows = b""
    for row in samples:
        flat = [int(v) for v in row.reshape(-1)]
        if bits == 16:
            body = b"".join(struct.pack(">H", v) for v in flat)
        else:
            text = "".join(format(v, f"0{bits}b") for v in flat)
            text += "0" * (-len(text) % 8)
            body = bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))
        rows += b"\x00" + body
    return rows


def png(samples, bits, kind, palette=None, transparency=None, interlaced=False, size=None, packed=None):
    height, width = samples.shape[:2] if size is None else size
    if interlaced:
        parts = [samples[y::dy, x::dx] for x, y, dx, dy in ADAM7]
        raw = b"".join(packed_rows(part, bits) for part in parts if part.size)
    else:
        raw = packed_rows(samples, bits)
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind,
                                                            0, 0, int(interlaced)))
    if palette is not None:
        out += chunk(b"PLTE", palette.astype("u1").tobytes())
    if transparency is not None:
        out += chunk(b"tRNS", transparency)
    return out + chunk(b"IDAT", packed or zlib.compress(raw, 9)) + chunk(b"IEND", b"")


def pattern(channels, bits):
    """Samples that differ along both axes, in every channel and in both bytes."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    planes = [(x * (3 + c) * 257 + y * (7 + 2 * c) * 1031 + c * 77) % (1 << bits)
              for c in range(channels)]
    return np.stack(planes, -1)


def shown(samples, bits, kind, palette=None, alphas=None, key=None):
    """RGBA of the samples by PNG's definition; 16-bit samples keep their high byte."""
    if kind == PALETTE:
        rgb = palette[samples[..., 0]]
        alpha = np.full(samples.shape[:2], 255)
        if alphas is not None:
            table = np.full(len(palette), 255)
            table[:len(alphas)] = alphas
            alpha = table[samples[..., 0]]
    else:
        eight = samples >> 8 if bits == 16 else samples * 255 // ((1 << bits) - 1)
        rgb = eight[..., :3] if kind in (RGB, RGBA) else eight[..., :1].repeat(3, -1)
        alpha = eight[..., -1] if kind in (GREY_ALPHA, RGBA) else np.full(samples.shape[:2], 255)
        if key is not None:
            alpha = np.where((samples == key).all(-1), 0, 255)
    return np.concatenate([rgb, alpha[..., None]], -1).astype("u1")


def make_pngs(expected):
    channels = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}
    names = {GREY: "grey", RGB: "rgb", PALETTE: "palette", GREY_ALPHA: "greyalpha", RGBA: "rgba"}
    depths = {GREY: (1, 2, 4, 8, 16), RGB: (8, 16), PALETTE: (1, 2, 4, 8), GREY_ALPHA: (8, 16),
              RGBA: (8, 16)}

    def add(name, samples, bits, kind, interlaced=False, **more):
        file_arguments = {"palette": more.get("palette")}
        if "alphas" in more:
            file_arguments["transparency"] = bytes(more["alphas"])
        if "key" in more:
            file_arguments["transparency"] = struct.pack(f">{len(more['key'])}H", *more["key"])
        write(GOOD, name, png(samples, bits, kind, interlaced=interlaced, **file_arguments))
        if not interlaced:
            expected[name] = shown(samples, bits, kind, **more)

    for kind, bits in ((kind, bits) for kind in depths for bits in depths[kind]):
        samples = pattern(channels[kind], bits)
        colours = {}
        if kind == PALETTE:
            count = 1 << bits
            colours["palette"] = np.stack([np.arange(count) * f % 256 for f in (37, 91, 151)], -1)
        for interlaced in (False, True) if (kind, bits) in INTERLACED else (False,):
            add(f"{names[kind]}{bits}{'_interlaced' if interlaced else ''}.png", samples, bits,
                kind, interlaced, **colours)
        if kind == PALETTE:
            add(f"palette{bits}_alpha.png", samples, bits, kind, alphas=[0, 128][:count], **colours)
        if kind in (GREY, RGB):
            add(f"{names[kind]}{bits}_key.png", samples, bits, kind,
                key=[int(v) for v in samples[2, 3]])


def make_broken_pngs():
    flat = pattern(4, 8)
    good = png(flat, 8, RGBA)
    write(BROKEN, "large.png", png(flat, 8, RGBA, size=(16384, 16384)))
    write(BROKEN, "wide.png", png(flat, 8, RGBA, size=(9, 16385)))
    write(BROKEN, "none.png", png(flat, 8, RGBA, size=(0, 11)))
    damaged = bytearray(good)
    damaged[good.index(b"IDAT") + 20] ^= 0x55
    write(BROKEN, "checksum.png", bytes(damaged))
    lying = struct.pack(">I", 0x62626262) + b"tEXt" + bytes(16)
    write(BROKEN, "chunk.png", good[:good.index(b"IDAT") - 4] + lying)
    side = 13000
    white = zlib.compress((b"\x00" + b"\xff" * (side // 8)) * side, 9)
    write(BROKEN, "memory.png", png(flat[:1, :1, :1], 1, GREY, size=(side, side), packed=white))


def make_jpegs(expected):
    y, x = np.mgrid[0:17, 0:18]
    rgb = np.stack([x * 12, y * 10, (x + y) * 5], -1).astype("u1")
    files = {}
    ink = np.concatenate([rgb, (rgb[..., :1] // 3)], -1)
    for name, image, options in (
            ("colour", Image.fromarray(rgb), {}),  # has the standard Huffman tables
            ("colour444", Image.fromarray(rgb), {"subsampling": 0, "optimize": True}),
            ("progressive", Image.fromarray(rgb), {"progressive": True}),
            ("grey", Image.fromarray(rgb[..., 0]), {"optimize": True}),
            ("cmyk", Image.fromarray(ink, "CMYK"), {"optimize": True})):
        out = io.BytesIO()
        image.save(out, "JPEG", quality=90, **options)
        files[name] = out.getvalue()
    # Pillow marks CMYK as Adobe's; the other two files are without the mark, and in YCCK.
    adobe = files["cmyk"].index(b"\xff\xee")
    end = adobe + 2 + int.from_bytes(files["cmyk"][adobe + 2:adobe + 4], "big")
    files["cmyk_plain"] = files["cmyk"][:adobe] + files["cmyk"][end:]
    files["ycck"] = files["cmyk"][:end - 1] + b"\x02" + files["cmyk"][end:]
    for name, content in files.items():
        write(GOOD, name + ".jpg", content)
        expected[name + ".jpg"] = np.array(Image.open(io.BytesIO(content)).convert("RGBA"))
    good = (GOOD / "colour444.jpg").read_bytes()
    at = good.index(b"\xff\xc0") + 5
    for name, size in (("large.jpg", (16384, 16384)), ("wide.jpg", (17, 16385)),
                       ("none.jpg", (17, 0))):
        write(BROKEN, name, good[:at] + struct.pack(">HH", *size) + good[at + 4:])


def make_webps():
    """A lossless file, whose pixels the test compares with rgba8.png, a lossy one, and an animation."""
    image = Image.open(GOOD / "rgba8.png")
    for folder, name, options in (
            (GOOD, "lossless.webp", {"lossless": True, "exact": True}),
            (GOOD, "lossy.webp", {"quality": 60}),
            (BROKEN, "animated.webp", {"save_all": True, "lossless": True,
                                       "append_images": [image.rotate(180)]})):
        out = io.BytesIO()
        image.save(out, "WEBP", **options)
        write(folder, name, out.getvalue())


def make_images():
    expected = {}
    make_pngs(expected)
    make_jpegs(expected)
    make_broken_pngs()
    make_webps()
    out = io.BytesIO()
    stack = {kind: np.stack([expected[name] for name in sorted(expected) if name.endswith(kind)])
             for kind in (".png", ".jpg")}  # one array per format, in the order of names
    np.savez_compressed(out, **stack)
    write(HERE, "images.npz", out.getvalue())


def make_cameras():
    write(GOOD, "cameras.txt", b"# azimuth elevation roll distance fov\n"
          b"133.65482247 25.771365001 0 0.733560347406 25\n-10 90 0 1.5 25\n")
    write(BROKEN, "four.txt", b"1 2 3 4 5\n1 2 3 4\n")
    write(BROKEN, "word.txt", b"1 2 3 far 5\n")


if __name__ == "__main__":
    make_pickles()
    make_arrays()
    make_safetensors()
    make_images()
    make_cameras()
