"""Makes the tiny checkpoints in data/weights, with PyTorch and TensorFlow themselves.

Run by hand after a change, once for each library, since both rarely fit into one environment:
    python3 tests/engine/formats/make_weight_fixtures.py torch
    python3 tests/engine/formats/make_weight_fixtures.py tensorflow
The tests themselves never run it. They expect that element i of every tensor is i / 8 - 1.
"""
import collections
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent / "data" / "weights"


def ramp(*shape):
    return np.arange(np.prod(shape), dtype=np.float64).reshape(shape) / 8 - 1


def make_torch():
    import torch

    def tensor(kind, *shape):
        return torch.from_numpy(ramp(*shape)).to(kind)

    whole = tensor(torch.float32, 2, 6)
    state = collections.OrderedDict([
        ("half", tensor(torch.float16, 2, 3)),
        ("bfloat", tensor(torch.bfloat16, 2, 3)),
        ("double", tensor(torch.float64, 2, 3)),
        ("whole", whole),
        ("row", whole[1]),                       # a view into the storage of another tensor
        ("transposed", tensor(torch.float32, 3, 2).t()),
        ("every_other", whole[:, ::2]),
        ("expanded", torch.tensor([-1.0]).expand(2, 3)),
        ("scalar", torch.tensor(-1.0)),
        ("empty", torch.zeros(0, 3)),
        ("parameter", torch.nn.Parameter(tensor(torch.float32, 2, 2))),
    ])
    torch.save(state, HERE / "tensors.pt")

    model = torch.nn.Sequential(torch.nn.Linear(2, 3))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.from_numpy(ramp(*parameter.shape)))
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(4, 2)).sum().backward()
    optimizer.step()
    torch.save({"epoch": 3, "loss": 0.5, "shape": torch.Size([2, 3]), "model": model.state_dict(),
                "optimizer": optimizer.state_dict()}, HERE / "training.pt")
    torch.save(state["half"], HERE / "old.pth", _use_new_zipfile_serialization=False)
    torch.save(torch.nn.ReLU(), HERE / "module.pt")


def make_tensorflow():
    import tensorflow as tf

    def write(prefix, tensors, parts):
        names = sorted(tensors)
        written = []
        for part in range(parts):
            mine = names[part::parts]
            written.append(f"{HERE / prefix}.part{part}")
            tf.raw_ops.SaveV2(prefix=written[-1], tensor_names=mine,
                              shape_and_slices=[""] * len(mine),
                              tensors=[tensors[name] for name in mine])
        tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=written,
                                      destination_prefix=str(HERE / prefix),
                                      delete_old_dirs=False)

    write("two_shards", {
        "meshnetmvp2m/cnn/conv2d_1/W": tf.constant(ramp(1, 1, 2, 3), tf.float32),
        "meshnetmvp2m/cnn/conv2d_1/W/Adam": tf.constant(ramp(1, 1, 2, 3), tf.float32),
        "meshnetmvp2m/cnn/conv2d_1/b": tf.constant(ramp(3), tf.float32),
        "meshnetmvp2m/cnn/conv2d_2/b": tf.constant(ramp(3), tf.float16),
        "meshnetmvp2m/cnn/conv2d_3/b": tf.constant(ramp(3), tf.bfloat16),
        "meshnetmvp2m/cnn/conv2d_4/b": tf.constant(ramp(3), tf.float64),
        "global_step": tf.constant(7, tf.int64),
        "note": tf.constant("text"),
        "empty": tf.zeros([0, 3]),
    }, 2)
    # A partitioned variable: two slices of one name.
    tf.raw_ops.SaveV2(prefix=str(HERE / "sliced"), tensor_names=["part", "part", "whole"],
                      shape_and_slices=["4 3 0,2:-", "4 3 2,2:-", ""],
                      tensors=[tf.constant(ramp(2, 3), tf.float32),
                               tf.constant(ramp(2, 3), tf.float32),
                               tf.constant(ramp(2, 3), tf.float32)])


if __name__ == "__main__":
    HERE.mkdir(parents=True, exist_ok=True)
    {"torch": make_torch, "tensorflow": make_tensorflow}[sys.argv[1]]()
