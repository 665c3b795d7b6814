#!/usr/bin/env python3
"""Writes one ring of cameras in every format that is read: write_camera_formats.py tests/wild/cameras

Shares no code with the program, so the formats are defined here independently. The folders colmap_LENS are
the reference; each format is compared with the one whose lens it can express.
"""
import json
import pathlib
import struct
import sys
import zlib

import numpy as np

WIDTH, HEIGHT, VIEWS = 64, 48, 6
TARGET = np.array([0.1, -0.2, 0.15])
AXES = np.array([0.5, 0.34, 0.42])  # half axes of the ellipsoid that is drawn

# Pixel coordinates start at the corner of the first pixel; distortion as in OpenCV.
PINHOLE = {"fx": 71.0, "fy": 69.0, "cx": 33.7, "cy": 22.9}
SINGLE = {"fx": 70.0, "fy": 70.0, "cx": 33.7, "cy": 22.9}
CENTRED = {"fx": 70.0, "fy": 70.0, "cx": WIDTH / 2, "cy": HEIGHT / 2}
RADIAL = {"k1": -0.12, "k2": 0.05}
RADIAL3 = RADIAL | {"k3": -0.01}
BROWN = RADIAL3 | {"p1": 0.003, "p2": -0.002}
LENSES = {"full": PINHOLE | BROWN, "single": SINGLE | BROWN, "radial": SINGLE | RADIAL3,
          "pinhole": PINHOLE, "centred": CENTRED, "centred_radial": CENTRED | RADIAL}
NONE = {"k1": 0, "k2": 0, "k3": 0, "p1": 0, "p2": 0}


def rotation_to(place, roll):
    """World to camera: x right, y down, z forward."""
    forward = TARGET - place
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0, 0, 1])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    turn = np.array([[np.cos(roll), np.sin(roll), 0], [-np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    return turn @ np.array([right, down, forward])


def ring():
    for i in range(VIEWS):
        angle = 2 * np.pi * i / VIEWS + 0.3
        place = TARGET + [2.5 * np.cos(angle), 2.4 * np.sin(angle), 0.5 + 0.35 * (i % 3)]
        yield rotation_to(place, 0.05 * (i - 2)), place


CAMERAS = list(ring())
NAMES = [f"{i:08d}" for i in range(VIEWS)]


def matrix_k(lens, first_middle=0.5):
    """`first_middle`: the format's coordinates of the first pixel's centre."""
    shift = 0.5 - first_middle
    return np.array([[lens["fx"], 0, lens["cx"] - shift], [0, lens["fy"], lens["cy"] - shift], [0, 0, 1]])


def extrinsic(rotation, place):
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    matrix[:3, 3] = -rotation @ place
    return matrix


def distorted(lens, x, y):
    lens = NONE | lens
    r2 = x * x + y * y
    radial = 1 + lens["k1"] * r2 + lens["k2"] * r2**2 + lens["k3"] * r2**3
    return (x * radial + 2 * lens["p1"] * x * y + lens["p2"] * (r2 + 2 * x * x),
            y * radial + lens["p1"] * (r2 + 2 * y * y) + 2 * lens["p2"] * x * y)


def drawn(lens, rotation, place):
    """RGB picture of the ellipsoid on white."""
    u, v = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)
    seen = (u - lens["cx"]) / lens["fx"], (v - lens["cy"]) / lens["fy"]
    x, y = seen
    for _ in range(30):
        dx, dy = distorted(lens, x, y)
        x, y = x + seen[0] - dx, y + seen[1] - dy
    rays = np.stack([x, y, np.ones_like(x)], axis=-1) @ rotation / AXES
    start = (place - TARGET) / AXES
    a, b, c = (rays * rays).sum(-1), (rays * start).sum(-1), start @ start - 1
    root = b * b - a * c
    hit = root > 0
    depth = (-b - np.sqrt(np.where(hit, root, 0))) / a
    normal = start + depth[..., None] * rays
    shade = 90 + 80 * normal
    return np.where(hit[..., None], shade, 255).clip(0, 255).astype(np.uint8) // 32 * 32 + 31


def write_png(file, picture):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    height, width, _ = picture.shape
    rows = b"".join(b"\0" + picture[y].tobytes() for y in range(height))
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def write_pictures(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, (rotation, place) in zip(NAMES, CAMERAS):
        write_png(folder / f"{name}.png", drawn(LENSES["full"], rotation, place))


def numbers(values):
    return " ".join(repr(float(value)) for value in np.ravel(values))


def quaternion(rotation):
    w = np.sqrt(max(0, 1 + np.trace(rotation))) / 2
    if w > 1e-3:
        m = rotation
        return np.array([w, (m[2, 1] - m[1, 2]) / (4 * w), (m[0, 2] - m[2, 0]) / (4 * w),
                         (m[1, 0] - m[0, 1]) / (4 * w)])
    values, vectors = np.linalg.eigh((rotation + rotation.T) / 2)
    return np.concatenate([[0], vectors[:, np.argmax(values)]])


def colmap(folder, lens):
    lens = NONE | lens
    folder.mkdir(parents=True, exist_ok=True)
    keys = ["fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3"]
    (folder / "cameras.txt").write_text(
        f"1 FULL_OPENCV {WIDTH} {HEIGHT} {numbers([lens[key] for key in keys])} 0 0 0\n")
    (folder / "images.txt").write_text("".join(
        f"{i + 1} {numbers(quaternion(r))} {numbers(-r @ c)} 1 {NAMES[i]}.png\n\n"
        for i, (r, c) in enumerate(CAMERAS)))


def colmap_binary(folder, lens):
    """COLMAP's model 6 is FULL_OPENCV."""
    lens = NONE | lens
    folder.mkdir()
    values = [lens[key] for key in ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")] + [0, 0, 0]
    (folder / "cameras.bin").write_bytes(struct.pack("<QIiQQ12d", 1, 1, 6, WIDTH, HEIGHT, *values))
    images = struct.pack("<Q", VIEWS)
    for i, (rotation, place) in enumerate(CAMERAS):
        images += struct.pack("<I7dI", i + 1, *quaternion(rotation), *(-rotation @ place), 1)
        images += f"{NAMES[i]}.png".encode() + b"\0" + struct.pack("<Q2dq", 1, 1.5, 2.5, -1)
    (folder / "images.bin").write_bytes(images)
    (folder / "points3D.bin").write_bytes(struct.pack("<Q", 0))


def camera_to_world(rotation, place):
    """OpenGL's axes."""
    matrix = np.eye(4)
    matrix[:3, :3] = rotation.T @ np.diag([1, -1, -1])
    matrix[:3, 3] = place
    return matrix.tolist()


def frames(numbers_of_views, ending):
    return [{"file_path": f"../images/{NAMES[i]}{ending}", "transform_matrix": camera_to_world(*CAMERAS[i])}
            for i in numbers_of_views]


def transforms(folder, lens):
    folder.mkdir()
    values = {"camera_model": "OPENCV", "fl_x": lens["fx"], "fl_y": lens["fy"], "cx": lens["cx"], "cy": lens["cy"],
              "w": WIDTH, "h": HEIGHT, **{key: lens[key] for key in ("k1", "k2", "k3", "p1", "p2")}}
    (folder / "transforms.json").write_text(json.dumps(values | {"frames": frames(range(VIEWS), ".png")}, indent=1) + "\n")


def nerf_synthetic(folder, lens):
    folder.mkdir()
    angle = {"camera_angle_x": 2 * np.arctan(WIDTH / 2 / lens["fx"])}
    for part, views in (("train", range(4)), ("test", (4,)), ("val", (5,))):
        (folder / f"transforms_{part}.json").write_text(json.dumps(angle | {"frames": frames(views, "")}, indent=1) + "\n")


def cameras_json(folder, lens):
    folder.mkdir()
    views = [{"image": f"../images/{NAMES[i]}.png", "matrix": extrinsic(*CAMERAS[i]).tolist()} for i in range(VIEWS)]
    (folder / "cameras.json").write_text(json.dumps(
        {"convention": "opencv", "matrices": "world_to_camera", "pixel_centre": 0, "width": WIDTH, "height": HEIGHT,
         "intrinsics": matrix_k(lens, 0).tolist(), "distortion": [lens[key] for key in ("k1", "k2", "p1", "p2", "k3")],
         "views": views}, indent=1) + "\n")


def texts(values):
    return [repr(float(value)) for value in np.ravel(values)]


def meshroom(folder, lens, old):
    """Version 1.2.6 has millimetres and offsets, 1.0.0 pixels from the upper left corner."""
    folder.mkdir()
    point = np.array([lens["cx"] - 0.5, lens["cy"] - 0.5])
    intrinsic = {"intrinsicId": "7", "width": str(WIDTH), "height": str(HEIGHT), "serialNumber": "",
                 "initializationMode": "estimated"}
    if old:
        intrinsic |= {"type": "radial3", "pxInitialFocalLength": "70", "pxFocalLength": repr(lens["fx"]),
                      "principalPoint": texts(point),
                      "distortionParams": texts([lens[key] for key in ("k1", "k2", "k3")])}
    else:
        intrinsic |= {"sensorWidth": "36", "sensorHeight": "27", "type": "pinhole",
                      "focalLength": repr(lens["fx"] * 36 / WIDTH), "pixelRatio": repr(lens["fy"] / lens["fx"]),
                      "pixelRatioLocked": "true",
                      "principalPoint": texts(point - [WIDTH / 2, HEIGHT / 2]),
                      "distortionInitializationMode": "none", "distortionType": "brown",
                      "distortionParams": texts([lens[key] for key in ("k1", "k2", "k3", "p1", "p2")]),
                      "undistortionOffset": ["0", "0"], "undistortionParams": ""}
    views = [{"viewId": str(100 + i), "poseId": str(100 + i), "intrinsicId": "7", "path": f"/home/ann/shoot/{name}.png",
              "width": str(WIDTH), "height": str(HEIGHT), "metadata": {"Exif:FocalLength": "35", "Make": "ACME"}}
             for i, name in enumerate(NAMES)]
    poses = [{"poseId": str(100 + i), "pose": {"transform": {"rotation": texts(r.T), "center": texts(c)}, "locked": "0"}}
             for i, (r, c) in enumerate(CAMERAS)]
    document = {"version": ["1", "0", "0"] if old else ["1", "2", "6"], "featuresFolders": ["../features"], "views": views,
                "intrinsics": [intrinsic], "poses": poses}
    if old:
        document["structure"] = [{"landmarkId": "0", "descType": "sift", "X": ["0", "0", "0"],
                                  "observations": [{"observationId": "100", "featureId": "0", "x": ["1", "2"]}]}]
    (folder / ("sfm.json" if old else "cameras.sfm")).write_text(json.dumps(document, indent=1) + "\n")


def openmvg(folder, lens):
    folder.mkdir()
    views = [{"key": i, "value": {"polymorphic_id": 1073741824, "ptr_wrapper": {
        "id": 2147483649 + i, "data": {"local_path": "", "filename": f"{name}.png", "width": WIDTH, "height": HEIGHT,
                                       "id_view": i, "id_intrinsic": 0, "id_pose": i}}}}
             for i, name in enumerate(NAMES)]
    intrinsic = {"key": 0, "value": {"polymorphic_id": 2147483649, "polymorphic_name": "pinhole_brown_t2", "ptr_wrapper": {
        "id": 2147483655, "data": {"width": WIDTH, "height": HEIGHT, "focal_length": lens["fx"],
                                   "principal_point": [lens["cx"] - 0.5, lens["cy"] - 0.5],
                                   "disto_t2": [lens[key] for key in ("k1", "k2", "k3", "p1", "p2")]}}}}
    poses = [{"key": i, "value": {"rotation": r.tolist(), "center": c.tolist()}} for i, (r, c) in enumerate(CAMERAS)]
    structure = [{"key": 0, "value": {"X": [0, 0, 0], "observations": [{"key": 0, "value": {"id_feat": 1, "x": [1, 2]}}]}}]
    (folder / "sfm_data.json").write_text(json.dumps(
        {"sfm_data_version": "0.3", "root_path": "/home/ann/shoot", "views": views, "intrinsics": [intrinsic],
         "extrinsics": poses, "structure": structure, "control_points": []}, indent=1) + "\n")


def metashape(folder, lens):
    folder.mkdir()
    turn = rotation_to(np.array([3.0, 1.0, 2.0]), 0.4)
    scale, shift = 3.5, np.array([10.0, -4.0, 1.5])
    cameras = []
    for i, (rotation, place) in enumerate(CAMERAS):
        matrix = np.eye(4)
        matrix[:3, :3] = turn.T @ rotation.T
        matrix[:3, 3] = turn.T @ (place - shift) / scale
        cameras.append(f'      <camera id="{i}" sensor_id="0" component_id="0" label="{NAMES[i]}">\n'
                       f'        <transform>{numbers(matrix)}</transform>\n      </camera>')
    cameras.append('      <camera id="9" sensor_id="0" label="not_aligned"/>')
    values = {"f": lens["fy"], "cx": lens["cx"] - WIDTH / 2, "cy": lens["cy"] - HEIGHT / 2, "b1": lens["fx"] - lens["fy"],
              "k1": lens["k1"], "k2": lens["k2"], "k3": lens["k3"], "p1": lens["p2"], "p2": lens["p1"]}
    calibration = "\n".join(f"          <{key}>{value!r}</{key}>" for key, value in values.items())
    all_cameras = "\n".join(cameras)
    (folder / "cameras.xml").write_text(f"""<?xml version="1.0" encoding="UTF-8"?>
<document version="2.0.0">
  <chunk label="Chunk 1" enabled="true">
    <sensors next_id="1">
      <sensor id="0" label="Camera, 35 mm" type="frame">
        <resolution width="{WIDTH}" height="{HEIGHT}"/>
        <property name="pixel_width" value="0.5"/>
        <calibration type="frame" class="initial">
          <resolution width="{WIDTH}" height="{HEIGHT}"/>
          <f>50</f>
        </calibration>
        <calibration type="frame" class="adjusted">
          <resolution width="{WIDTH}" height="{HEIGHT}"/>
{calibration}
        </calibration>
      </sensor>
    </sensors>
    <cameras next_id="10" next_group_id="0">
{all_cameras}
    </cameras>
    <transform>
      <rotation locked="true">{numbers(turn)}</rotation>
      <translation locked="true">{numbers(shift)}</translation>
      <scale locked="true">{scale}</scale>
    </transform>
  </chunk>
</document>
""")


def sphere():
    matrix = np.diag([0.55, 0.55, 0.55, 1.0])
    matrix[:3, 3] = TARGET
    return matrix


def neus(folder, lens):
    write_pictures(folder / "image")
    arrays = {}
    for i, (rotation, place) in enumerate(CAMERAS):
        world = np.eye(4)
        world[:3] = (-1) ** i * (i + 0.5) * matrix_k(lens, 0) @ extrinsic(rotation, place)[:3]
        arrays |= {f"world_mat_{i}": world, f"scale_mat_{i}": sphere(),
                   f"world_mat_inv_{i}": np.linalg.inv(world)}
    np.savez_compressed(folder / "cameras_sphere.npz", **arrays)


def idr(folder, lens):
    write_pictures(folder / "image")
    arrays = {}
    for i, (rotation, place) in enumerate(CAMERAS):
        arrays |= {f"world_mat_{i}": (matrix_k(lens, 0) @ extrinsic(rotation, place)[:3]).astype(np.float32),
                   f"scale_mat_{i}": sphere().astype(np.float32)}
    np.savez_compressed(folder / "cameras.npz", **arrays)


def dvr(folder, lens):
    """The centres of the first and the last pixel are −1 and 1."""
    write_pictures(folder / "image")
    plane = np.array([[2 / (WIDTH - 1), 0, -WIDTH / (WIDTH - 1)], [0, 2 / (HEIGHT - 1), -HEIGHT / (HEIGHT - 1)], [0, 0, 1]])
    arrays = {}
    for i, (rotation, place) in enumerate(CAMERAS):
        camera = np.eye(4)
        camera[:3, :3] = plane @ matrix_k(lens)
        arrays |= {f"camera_mat_{i}": camera, f"world_mat_{i}": extrinsic(rotation, place), f"scale_mat_{i}": sphere()}
    np.savez_compressed(folder / "cameras.npz", **arrays)


def occupancy(folder, lens):
    """The picture is 137 units wide and high, whatever its resolution."""
    write_pictures(folder)
    plane = np.diag([137 / WIDTH, 137 / HEIGHT, 1])
    arrays = {}
    for i, (rotation, place) in enumerate(CAMERAS):
        arrays |= {f"camera_mat_{i}": plane @ matrix_k(lens), f"world_mat_{i}": extrinsic(rotation, place)[:3]}
    np.savez_compressed(folder / "cameras.npz", **arrays)


def llff(folder, lens):
    write_pictures(folder / "images")
    rows = []
    for rotation, place in CAMERAS:
        right, down, forward = rotation
        size = [HEIGHT, WIDTH, lens["fx"]]
        rows.append(np.concatenate([np.stack([down, right, -forward, place, size], axis=1).ravel(), [1, 4]]))
    np.save(folder / "poses_bounds.npy", np.array(rows))


def mvsnet(folder, lens):
    (folder / "cams").mkdir(parents=True)
    for name, (rotation, place) in zip(NAMES, CAMERAS):
        rows = [numbers(row) for row in extrinsic(rotation, place)]
        k = [numbers(row) for row in matrix_k(lens)]
        (folder / "cams" / f"{name}_cam.txt").write_text(
            "\n".join(["extrinsic", *rows, "", "intrinsic", *k, "", "1.0 0.05 192 4.0", ""]))
    (folder / "pair.txt").write_text(f"{VIEWS}\n" + "".join(f"{i}\n1 {(i + 1) % VIEWS} 1.0\n" for i in range(VIEWS)))


def middlebury(folder, lens):
    folder.mkdir()
    lines = [f"{name}.png {numbers(matrix_k(lens, 0))} {numbers(r)} {numbers(-r @ c)}"
             for name, (r, c) in zip(NAMES, CAMERAS)]
    (folder / "object_par.txt").write_text("\n".join([str(VIEWS), *lines, ""]))


def bundler(folder, lens):
    folder.mkdir()
    flip = np.diag([1, -1, -1])  # y up, looking along −z
    lines = ["# Bundle file v0.3", f"{VIEWS + 1} 1"]
    for rotation, place in CAMERAS:
        rotation = flip @ rotation
        lines += [numbers([lens["fx"], lens["k1"], lens["k2"]]), *map(numbers, rotation), numbers(-rotation @ place)]
    lines += ["0 0 0"] * 5  # an image that was not aligned
    lines += ["0 0 0", "255 255 255", "1 0 0 1.5 2.5", ""]
    (folder / "bundle.out").write_text("\n".join(lines))
    (folder / "list.txt").write_text("".join(f"./{name}.png 0 70.0\n" for name in NAMES) + "./not_aligned.png\n")


def deferred_shading(folder, lens):
    folder.mkdir()
    for name, (rotation, place) in zip(NAMES, CAMERAS):
        np.savetxt(folder / f"{name}_k.txt", matrix_k(lens))
        np.savetxt(folder / f"{name}_r.txt", rotation)
        np.savetxt(folder / f"{name}_t.txt", -rotation @ place)


def main():
    root = pathlib.Path(sys.argv[1])
    root.mkdir(parents=True)
    write_pictures(root / "images")
    for name, lens in LENSES.items():
        colmap(root / f"colmap_{name}", lens)
    colmap_binary(root / "binary_colmap", LENSES["full"])
    transforms(root / "transforms", LENSES["full"])
    nerf_synthetic(root / "nerf_synthetic", LENSES["centred"])
    cameras_json(root / "cameras_json", LENSES["full"])
    meshroom(root / "meshroom", LENSES["full"], old=False)
    meshroom(root / "meshroom_old", LENSES["radial"], old=True)
    openmvg(root / "openmvg", LENSES["single"])
    metashape(root / "metashape", LENSES["full"])
    neus(root / "neus", LENSES["pinhole"])
    idr(root / "idr", LENSES["pinhole"])
    dvr(root / "dvr", LENSES["pinhole"])
    occupancy(root / "occupancy", LENSES["pinhole"])
    llff(root / "llff", LENSES["centred"])
    mvsnet(root / "mvsnet", LENSES["pinhole"])
    middlebury(root / "middlebury", LENSES["pinhole"])
    bundler(root / "bundler", LENSES["centred_radial"])
    deferred_shading(root / "deferred_shading", LENSES["pinhole"])


main()
