// Colour of a surface point before lighting.
const vec3 kUnknown = vec3(0.165);  // a neutral grey where there is no value
// Lifts the dark end of a map a little: light on pure black would not show the shape.
const vec3 kLift = vec3(0.012);

// `known` is 1 where every vertex that contributes to the value has one. The value was
// interpolated, not its colour: a triangle across the whole range shows the whole map.
vec3 baseColour(float value, float known) {
    if (pane.coloured == 0u) return pane.surface;
    if (known < 0.999) return kUnknown;
    const float t = clamp((value - pane.lowest) * pane.valueScale, 0.0, 1.0);
    const float place = t * float(kColourTableSize - 1u);
    const uint below = min(uint(place), kColourTableSize - 2u);
    const vec3 first = colourTable[pane.tableStart + below].rgb;
    const vec3 second = colourTable[pane.tableStart + below + 1u].rgb;
    return kLift + mix(first, second, place - float(below));
}
