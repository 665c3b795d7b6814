// Rendering and surface points of procedural shapes (shapes.py) from their signed distances.
#include <algorithm>
#include <cmath>

namespace {

constexpr int kPrimitives = 40, kFloats = 24;

struct Vec {
    float x, y, z;
};
inline Vec operator+(Vec a, Vec b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec operator-(Vec a, Vec b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec operator*(float s, Vec a) {
    return {s * a.x, s * a.y, s * a.z};
}
inline float dot(Vec a, Vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec unit(Vec a) {
    return 1.0f / std::sqrt(dot(a, a) + 1e-20f) * a;
}
inline float positive(float a) {
    return std::max(a, 0.f);
}

inline unsigned pcg(unsigned& state) {
    state = state * 747796405u + 2891336453u;
    const unsigned word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}
inline float uniform(unsigned& state) {
    return (pcg(state) >> 8) * (1.0f / 16777216.0f);
}

inline Vec local(const float* q, Vec p) {
    const Vec d{p.x - q[1], p.y - q[2], p.z - q[3]};
    return {dot({q[4], q[5], q[6]}, d), dot({q[7], q[8], q[9]}, d), dot({q[10], q[11], q[12]}, d)};
}

float box(Vec l, float a, float b, float c, float rounding) {
    const float x = std::fabs(l.x) - a + rounding, y = std::fabs(l.y) - b + rounding,
                z = std::fabs(l.z) - c + rounding;
    const float mx = positive(x), my = positive(y), mz = positive(z);
    return std::sqrt(mx * mx + my * my + mz * mz) + std::min(std::max(x, std::max(y, z)), 0.f) -
           rounding;
}

float cylinder(Vec l, float radius, float half) {
    const float x = std::sqrt(l.x * l.x + l.z * l.z) - radius, y = std::fabs(l.y) - half;
    const float mx = positive(x), my = positive(y);
    return std::min(std::max(x, y), 0.f) + std::sqrt(mx * mx + my * my);
}

float ellipsoid(Vec l, float a, float b, float c) {  // a bound, exact to first order at the surface
    const Vec u{l.x / a, l.y / b, l.z / c}, v{l.x / (a * a), l.y / (b * b), l.z / (c * c)};
    const float k0 = std::sqrt(dot(u, u)), k1 = std::sqrt(dot(v, v));
    return k1 < 1e-6f ? -std::min(a, std::min(b, c)) : k0 * (k0 - 1.0f) / k1;
}

float cone(Vec l, float bottom, float half, float top) {
    const float qx = std::sqrt(l.x * l.x + l.z * l.z), qy = l.y, sx = top - bottom, sy = 2 * half;
    const float ax = qx - std::min(qx, qy < 0 ? bottom : top), ay = std::fabs(qy) - half;
    const float s =
        std::min(positive(((top - qx) * sx + (half - qy) * sy) / (sx * sx + sy * sy)), 1.f);
    const float bx = qx - top + sx * s, by = qy - half + sy * s;
    return (bx < 0 && ay < 0 ? -1.f : 1.f) *
           std::sqrt(std::min(ax * ax + ay * ay, bx * bx + by * by));
}

float roundCone(Vec l, float bottom, float half, float top) {
    const float slope = (bottom - top) / (2 * half), flank = std::sqrt(1 - slope * slope);
    const float x = std::sqrt(l.x * l.x + l.z * l.z), y = l.y + half, along = flank * y - slope * x;
    if (along < 0) return std::sqrt(x * x + y * y) - bottom;
    if (along > 2 * half * flank) return std::sqrt(x * x + (l.y - half) * (l.y - half)) - top;
    return flank * x + slope * y - bottom;
}

// Signed distance to the part of a ring about local z that lies within an angle of local y; end:
// radius times the angle's cosine.
float ring(Vec l, float radius, float thickness, float end) {
    const float c = end / radius, s = std::sqrt(positive(1 - c * c)), x = std::fabs(l.x);
    const float k = c * x > s * l.y ? s * x + c * l.y : std::sqrt(x * x + l.y * l.y);
    return std::sqrt(positive(dot(l, l) + radius * radius - 2 * radius * k)) - thickness;
}

// Signed distance to a polygon; `open`: the edge from the last vertex to the first lies inside the
// shape and is no part of its border.
float polygon(const float* vertex, int count, bool open, float x, float y) {
    float square = 1e9f;
    bool inside = false;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        const float ex = vertex[2 * j] - vertex[2 * i], ey = vertex[2 * j + 1] - vertex[2 * i + 1];
        const float wx = x - vertex[2 * i], wy = y - vertex[2 * i + 1];
        const float s = std::min(positive((wx * ex + wy * ey) / (ex * ex + ey * ey + 1e-12f)), 1.f);
        const float bx = wx - s * ex, by = wy - s * ey;
        if (!open || i > 0) square = std::min(square, bx * bx + by * by);
        const bool above = wy >= 0, below = wy < ey;
        const bool left = ex * wy > ey * wx;
        if (above == below && below == left) inside = !inside;
    }
    return (inside ? -1.f : 1.f) * std::sqrt(square);
}

float extruded(const float* q, const float* vertices, Vec l) {
    const float flat = polygon(vertices, int(q[23]), false, l.x, l.y), wall = q[21];
    const float d = (wall > 0 ? std::fabs(flat) - wall : flat) + q[16],
                z = std::fabs(l.z) - q[13] + q[16];
    const float md = positive(d), mz = positive(z);
    return std::min(std::max(d, z), 0.f) + std::sqrt(md * md + mz * mz) - q[16];
}

inline float distanceTo(const float* shape, const float* q, Vec p) {
    const Vec l = local(q, p);
    const float* vertices = shape + kPrimitives * kFloats + 2 * int(q[22]);
    switch (int(q[0])) {
        case 0:
            return box(l, q[13], q[14], q[15], q[16]);
        case 1:
            return cylinder(l, q[13], q[14]);
        case 2:
            return ellipsoid(l, q[13], q[14], q[15]);
        case 3:
            return cone(l, q[13], q[14], q[15]);
        case 4:
            return roundCone(l, q[13], q[14], q[15]);
        case 5:
            return ring(l, q[13], q[14], q[15]);
        case 6:
            return polygon(vertices, int(q[23]), true, std::sqrt(l.x * l.x + l.z * l.z), l.y);
        default:
            return extruded(q, vertices, l);
    }
}

struct Hit {
    float distance;
    int primitive;
};

Hit nearest(const float* shape, Vec p) {
    Hit hit{1e9f, 0};
    for (int k = 0; k < kPrimitives && shape[k * kFloats] >= 0; ++k) {
        const float d = distanceTo(shape, shape + k * kFloats, p), before = hit.distance;
        if (d < hit.distance) hit = {d, k};
        if (const float blend = shape[k * kFloats + 20];
            blend > 0) {  // blend: approximate radius of a fillet
            const float share = positive(1 - std::fabs(d - before) / blend);
            hit.distance -= .25f * blend * share * share;
        }
    }
    return hit;
}

Vec normal(const float* shape, Vec p) {
    constexpr float e = 4e-4f;
    constexpr Vec corners[4] = {{1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {1, 1, 1}};
    Vec n{0, 0, 0};
    for (const Vec& k : corners) n = n + nearest(shape, p + e * k).distance * k;
    return unit(n);
}

float lattice(int x, int y, int z, unsigned seed) {
    unsigned hash = seed ^ (x * 73856093u) ^ (y * 19349663u) ^ (z * 83492791u);
    pcg(hash);
    return uniform(hash);
}

float noise(Vec p, unsigned seed) {
    const float fx = std::floor(p.x), fy = std::floor(p.y), fz = std::floor(p.z);
    const auto smooth = [](float t) { return t * t * (3 - 2 * t); };
    const float u = smooth(p.x - fx), v = smooth(p.y - fy), w = smooth(p.z - fz);
    float sum = 0;
    for (int i = 0; i < 8; ++i)
        sum += lattice(int(fx) + (i & 1), int(fy) + ((i >> 1) & 1), int(fz) + (i >> 2), seed) *
               ((i & 1) ? u : 1 - u) * ((i & 2) ? v : 1 - v) * ((i & 4) ? w : 1 - w);
    return sum;
}

// Solid texture of one primitive, chosen by the sample's seed in (0, 1]: plain, stripes, panels
// with seams, windows or noise.
void paint(const float* q, Vec p, float seed, int primitive, float rgb[3]) {
    unsigned s = unsigned(seed * 16777216.f) * 747796405u + primitive * 2654435761u;
    pcg(s);
    pcg(s);
    unsigned whole = unsigned(seed * 16777216.f) * 2891336453u + 12345u;
    pcg(whole);
    if (uniform(whole) < .3f) return;
    const float kind = uniform(s), frequency = 15 + 90 * uniform(s), share = .2f + .6f * uniform(s);
    unsigned grain = s;
    pcg(grain);
    float other[3];
    const float dark = uniform(s);
    for (int c = 0; c < 3; ++c) {
        const float x = uniform(s);
        other[c] = dark < .35f  ? .08f + .1f * x
                   : dark < .6f ? rgb[c] * (.35f + .5f * dark)
                   : dark < .8f ? .85f + .15f * x
                                : x;
    }
    const Vec l = q[20] > 0 ? p : local(q, p);  // one texture over all blended primitives
    const auto fraction = [](float a) { return a - std::floor(a); };
    const float x = fraction(l.x * frequency), y = fraction(l.y * frequency),
                z = fraction(l.z * frequency);
    float mix = 0;
    if (kind < .3f) return;
    if (kind < .5f) {
        const float along = uniform(s) < .5f ? l.y : uniform(s) < .5f ? l.x : l.z;
        mix = fraction(along * frequency * .5f) < share ? 1.f : 0.f;
    } else if (kind < .68f) {
        mix = x < .07f || y < .07f || z < .07f ? .7f : 0.f;
    } else if (kind < .85f) {
        mix = std::fabs(l.y / (q[14] + 1e-3f) - .3f) < .25f && x > .2f && z > .2f ? 1.f : 0.f;
    } else {
        mix = std::min(positive((noise(frequency * l, grain) - .35f) * 3), 1.f);
    }
    for (int c = 0; c < 3; ++c) rgb[c] += (other[c] - rgb[c]) * mix;
}

// BGR and coverage of the ray through (u, v) of an image whose full width is 224. camera: three
// axes, the centre, focal length, principal point; light: direction, ambient, diffuse, headlight,
// specular, texture's seed (0: none).
void shade(const float* shape, const float* camera, const float* light, float u, float v,
           float out[4]) {
    const float pixel = 1.f / camera[12];
    const float xl = (u - camera[13]) * pixel, yl = -(v - camera[14]) * pixel;
    const Vec X{camera[0], camera[1], camera[2]}, Y{camera[3], camera[4], camera[5]},
        Z{camera[6], camera[7], camera[8]};
    const Vec o{camera[9], camera[10], camera[11]}, d = unit(xl * X + yl * Y - Z);
    out[0] = out[1] = out[2] = 1.f;
    out[3] = 0.f;
    const float b = dot(o, d), c = dot(o, o) - 0.32f * 0.32f,
                discriminant = b * b - c;  // the sphere round every shape
    if (discriminant < 0) return;
    const float end = -b + std::sqrt(discriminant);
    float t = positive(-b - std::sqrt(discriminant));
    Hit hit{1, 0};
    for (int i = 0; i < 80 && t < end; ++i) {
        hit = nearest(shape, o + t * d);
        if (hit.distance < 4e-4f) break;
        t += std::max(hit.distance * 0.9f, 3e-4f);
    }
    if (hit.distance >= 4e-4f) return;
    const Vec p = o + t * d, n = normal(shape, p), L{light[0], light[1], light[2]};
    const float highlight = std::pow(positive(dot(n, unit(L - d))), 8.f);
    const float brightness =
        light[3] + light[4] * positive(dot(n, L)) + light[5] * positive(-dot(n, d));
    const float* q = shape + hit.primitive * kFloats;
    float rgb[3] = {q[17], q[18], q[19]};
    if (light[7] > 0) paint(q, p, light[7], q[20] > 0 ? 0 : hit.primitive, rgb);
    for (int k = 0; k < 3; ++k)
        out[2 - k] = std::min(positive(rgb[k] * brightness + light[6] * highlight), 1.f);
    out[3] = 1.f;
}

}  // namespace

// Signed distance of each of points [count, 3].
extern "C" void distances(const float* shape, const float* points, float* out, int count) {
    for (int i = 0; i < count; ++i)
        out[i] = nearest(shape, {points[3 * i], points[3 * i + 1], points[3 * i + 2]}).distance;
}

// image [size, size, 4]: BGR and coverage, 0 to 1, white background.
extern "C" void render(const float* shape, const float* camera, const float* light, float* image,
                       int size) {
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
            shade(shape, camera, light, (x + .5f) * 224.f / size, (y + .5f) * 224.f / size,
                  image + (y * size + x) * 4);
}

// points [count, 6]: surface points and normals in the space of three axes and an origin (space),
// uniform over the area but for the thickness of the sampled shell (kNear).
extern "C" void surface(const float* shape, const float* box, const float* space, float* points,
                        int count, unsigned seed) {
    constexpr float kNear = 0.004f;
    for (int i = 0; i < count; ++i) {
        unsigned s = seed + i * 9781u;
        pcg(s);
        pcg(s);
        Vec p{};
        for (int k = 0; k < 1500; ++k) {
            const float x = uniform(s), y = uniform(s), z = uniform(s);
            p = {box[0] - kNear + x * (box[3] - box[0] + 2 * kNear),
                 box[1] - kNear + y * (box[4] - box[1] + 2 * kNear),
                 box[2] - kNear + z * (box[5] - box[2] + 2 * kNear)};
            if (std::fabs(nearest(shape, p).distance) < kNear) break;
        }
        Vec n{};
        for (int k = 0; k < 5; ++k) {
            n = normal(shape, p);
            p = p - nearest(shape, p).distance * n;
        }
        const Vec q = p - Vec{space[9], space[10], space[11]};
        for (int r = 0; r < 3; ++r) {
            const Vec axis{space[3 * r], space[3 * r + 1], space[3 * r + 2]};
            points[i * 6 + r] = dot(axis, q);
            points[i * 6 + 3 + r] = dot(axis, n);
        }
    }
}
