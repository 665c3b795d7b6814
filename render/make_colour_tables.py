#!/usr/bin/env python3
"""Writes colour_tables.cpp from matplotlib's viridis and inferno (dedicated to the public domain
under CC0). Needs matplotlib; run it only to add a map: make_colour_tables.py > colour_tables.cpp"""
from matplotlib import colormaps

print("""// Written by make_colour_tables.py from matplotlib's tables (CC0). Do not edit.
#include "render/colour_tables.h"

// clang-format off
namespace threefold::render {
""")
for name in ("viridis", "inferno"):
    print(f"const std::array<glm::vec3, shared::kColourTableSize> k{name.capitalize()}{{{{")
    entries = [f"{{{r:.6f}F, {g:.6f}F, {b:.6f}F}}," for r, g, b in colormaps[name].colors]
    for start in range(0, len(entries), 2):
        print("    " + " ".join(entries[start:start + 2]))
    print("}};\n")
print("}  // namespace threefold::render")
