"""Reads a stage's arrays from npz files, and writes them in the precision of the model file."""
import numpy as np
import torch


def load_arrays(module, path):
    arrays = np.load(path)
    module.load_state_dict({k: torch.tensor(np.float32(arrays[k])) for k in arrays.files})


def stored(weight):
    """Converts a weight to float16. Weights of colours and features are first rounded to bfloat16, which makes the packed
    model smaller. Weights that carry coordinates between layers are not, since their rounding errors add up."""
    weight = weight.detach().half().cpu()
    if weight.ndim == 4:
        weight = weight.bfloat16().half()
    elif len(weight) > 2880:  # rows: coordinates, features, and hidden features in blocks 2 and 3
        weight[3:2883] = weight[3:2883].bfloat16()
    return weight.numpy()


def write_arrays(module, path):
    """Writes a stage's arrays under the model file's names."""
    part = path.with_name(path.stem + ".part.npz")
    np.savez(part, **{k: stored(v) for k, v in module.state_dict().items()})
    part.replace(path)
