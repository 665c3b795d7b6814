"""Writes golden tensors of the plain network, in float32. Usage: make_golden.py MODEL SAMPLES OUT

MODEL is a model file (default.safetensors); SAMPLES has the layout of resources/samples, with gt/.
OUT/{case}.npz: image [3, 224, 224, 3] BGR 0 to 1; camera [3, 5]; template_h, template_w [3, 156] pixels;
stage1_map_C = map[:, ::8, ::3, ::3] and stage2_map_C = map[:, ::4, ::9, ::9] of the C-channel map
[view, C, S, S]; stage1_features_1 = every 4th template vertex's 2883 features; level1, level2, coarse:
vertices; *_hidden: last hidden features, of level 2 every 4th vertex's; *_unpooled: vertices after unpooling;
stage2_features_k = the first 4 vertices' [43, 339]; score_k = every 4th vertex's softmax [43]; refined_1,
refined_2: vertices; measures_*: CD, then precision, recall, F (%) at 5e-5, 1e-4, 1.5e-4, 2e-4 (in float64,
vertices against the truth's points).
"""
import pathlib
import pickle
import sys

import cv2
import numpy as np
import torch
from safetensors.numpy import load_file

import network

VIEWS = [0, 6, 7]
CASES = [("plane_each", "02691156_p0001", "bilinear-each"), ("chair_each", "03001627_p0001", "bilinear-each"),
         ("car_published", "02958343_p0001", "nearest-first")]


def load(samples, sample):
    folder = samples / "ShapeNetRendering" / sample.replace("_", "/") / "rendering"
    cameras = np.float32(np.loadtxt(folder / "rendering_metadata.txt")[VIEWS])
    images = []
    for v in VIEWS:
        image = cv2.imread(str(folder / f"{v:02}.png"), cv2.IMREAD_UNCHANGED)
        image[image[:, :, 3] == 0] = 255
        images.append(np.float32(cv2.resize(image, (224, 224))[:, :, :3]) / 255)
    with open(samples / "gt" / f"{sample}_00.dat", "rb") as file:
        return np.stack(images), cameras, pickle.load(file, encoding="latin1")[1]


def measures(points, truth):
    p, g = torch.tensor(points, dtype=torch.float64), torch.tensor(truth[:, :3], dtype=torch.float64)
    d = ((p[:, None] - g[None]) ** 2).sum(-1)
    to_truth, to_points = d.min(1)[0], d.min(0)[0]
    values = [float(to_truth.mean() + to_points.mean())]
    for t in (5e-5, 1e-4, 1.5e-4, 2e-4):
        precision, recall = (100 * float((x <= t).double().mean()) for x in (to_truth, to_points))
        values += [precision, recall, 2 * precision * recall / (precision + recall + 1e-6)]
    return np.array(values)


def tensors(stage1, stage2, template, image, camera, truth):
    x, cameras = torch.tensor(image).permute(0, 3, 1, 2)[None], network.published_camera(torch.tensor(camera))[None]
    reference, points = cameras[:, 0, :12], template.coord[None]
    plain = lambda t: np.float32(t.squeeze(0).numpy())
    golden = {"image": image, "camera": camera}
    golden["template_h"], golden["template_w"] = map(plain, network.project(points, reference, cameras))
    maps = stage1.maps(x)
    golden |= {f"stage1_map_{m.shape[1]}": m[:, ::8, ::3, ::3].numpy() for m in maps}
    hidden = None
    for k, layers in enumerate((stage1.gcn1_layers, stage1.gcn2_layers, stage1.gcn3_layers), 1):
        if k > 1:
            points = template.unpool(points, k - 1)
            golden[f"level{k - 1}_unpooled"] = plain(points)
        features = stage1.features(points, hidden, maps, reference, cameras, template, k)
        points, hidden = stage1.block(features, layers, *template.level(k))
        if k == 1:
            golden["stage1_features_1"] = plain(features)[::4]
        golden["coarse" if k == 3 else f"level{k}"] = plain(points)
        if k < 3:
            golden[f"level{k}_hidden"] = plain(hidden)[::4 if k == 2 else 1]
    golden["measures_coarse"] = measures(points[0].numpy(), truth)
    maps = stage2.maps(x)
    golden |= {f"stage2_map_{m.shape[1]}": m[:, ::4, ::9, ::9].numpy() for m in maps}
    for k, block in enumerate((stage2.drb1, stage2.drb2), 1):
        features = stage2.features(points, maps, reference, cameras, template)
        score = block(features, template.hypothesis_support)
        points = points + (score * template.hypotheses).sum(1).view_as(points)
        golden[f"stage2_features_{k}"] = features[:4].numpy()
        golden[f"score_{k}"] = score[::4, :, 0].numpy()
        golden[f"refined_{k}"] = plain(points)
        golden[f"measures_refined_{k}"] = measures(points[0].numpy(), truth)
    return golden


def template_of(arrays):
    """Returns a model file's template in the layout of template.dat. Entries that only training reads are empty."""
    def laplacian(name):
        start, column, value = (arrays[f"template.{name}.{part}"] for part in ("row_start", "column", "value"))
        rows = np.repeat(np.arange(len(start) - 1), np.diff(start))
        return np.stack([rows, column], 1), value, (len(start) - 1,) * 2
    levels = [laplacian(f"level{k}.laplacian") for k in (1, 2, 3)]
    index, value, shape = laplacian("hypothesis_laplacian")
    support = np.zeros(shape, np.float32)
    support[tuple(index.T)] = value
    return {"coord": arrays["template.coordinates"], "sample_coord": arrays["template.hypotheses"],
            "sample_cheb_dense": [None, support],
            "faces_triangle": [arrays[f"template.level{k}.faces"] for k in (1, 2, 3)],
            "pool_idx": [arrays[f"template.level{k}.unpool_edges"] for k in (1, 2)],
            "lape_idx": [np.zeros((level[2][0], 10), int) for level in levels]
            } | {f"stage{k}": [None, level] for k, level in enumerate(levels, 1)}


@torch.no_grad()
def main():
    model, samples, out = map(pathlib.Path, sys.argv[1:4])
    out.mkdir(parents=True, exist_ok=True)
    arrays = load_file(model)
    template, stage1, stage2 = network.Template(template_of(arrays)), network.Stage1(), network.Stage2()
    for module, name in ((stage1, "stage1."), (stage2, "stage2.")):
        module.load_state_dict({k.removeprefix(name): torch.tensor(np.float32(v))
                                for k, v in arrays.items() if k.startswith(name)})
    for name, sample, stage1.sampler in CASES:
        golden = tensors(stage1, stage2, template, *load(samples, sample))
        np.savez_compressed(out / f"{name}.npz", **golden)
        print(name, *(f"{k} {golden[f'measures_{k}'][[0, 6, 12]]}" for k in ("coarse", "refined_2")))


if __name__ == "__main__":
    main()
