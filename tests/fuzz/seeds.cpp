#include "tests/fuzz/seeds.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "engine/formats/byte_cursor.h"
#include "engine/formats/file_bytes.h"
#include "engine/formats/mesh_writers.h"
#include "tests/engine/model/model_fixture.h"
#include "tests/support/pickle_writer.h"

namespace threefold::test {
namespace {

using Path = std::filesystem::path;

class Seeds {
  public:
    void add(const std::string& name, std::string_view text) {
        const auto bytes = asBytes(text);
        all_.push_back({name, {bytes.begin(), bytes.end()}});
    }

    /// The files of a folder, of one extension or of any; none where there is no such folder.
    void addFiles(const Path& folder, std::string_view extension = {}) {
        if (!std::filesystem::is_directory(folder)) return;
        std::vector<Path> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (extension.empty() || entry.path().extension() == extension)
                files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        for (const Path& file : files)
            all_.push_back(
                {folder.filename().string() + '-' + file.filename().string(), readFile(file)});
    }

    void addFixtures(std::string_view extension) {
        const Path data = Path(THREEFOLD_TEST_DATA) / "engine/formats/data";
        addFiles(data / "good", extension);
        addFiles(data / "broken", extension);
    }

    void addMeshes(MeshFormat format) {
        const Mesh mesh{{{0, 0, -0.75F}, {0.5F, 0, -0.75F}, {0, 0.5F, -0.75F}, {0, 0, -0.25F}},
                        {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
        const std::vector<glm::vec3> colours = {
            {0, 0, 0}, {1, 0.4F, 0.2F}, {0.2F, 0.6F, 1}, {1, 1, 1}};
        add("mesh", encodeMesh(format, mesh));
        if (carriesColours(format)) add("colours", encodeMesh(format, mesh, {colours, {}}));
        if (carriesFaces(format)) add("points", encodeMesh(format, {mesh.vertices, {}}));
    }

    std::vector<Seed> take() { return std::move(all_); }

  private:
    std::vector<Seed> all_;
};

void addTruths(Seeds& seeds) {
    const std::vector<float> six = {1, 2, 3, 0, 0, 1, 4, 5, 6, 0, 1, 0};
    const std::string points = pickle::array("f4", six, {2, 6});
    const std::string image = pickle::array("u1", std::vector<std::uint8_t>(12), {2, 2, 3});
    seeds.add("bare", pickle::pickled(points));
    seeds.add("three", pickle::pickled(pickle::array("f8", std::vector<double>(6), {2, 3})));
    seeds.add("pair", pickle::pickled(pickle::tuple({image, points})));
    seeds.add("list", pickle::pickled(pickle::list({image, points})));
    seeds.add("text", "0 1 2\n3 4 5\n");
    seeds.addMeshes(MeshFormat::obj);
}

/// A triangle, cut into four twice.
TemplateMesh smallTemplate() {
    TemplateMesh mesh;
    mesh.coordinates = {{0, 0, -0.8F}, {0.1F, 0, -0.8F}, {0, 0.1F, -0.8F}};
    const auto diagonal = [](std::uint32_t count) {
        SparseMatrix matrix;
        matrix.rowStart.push_back(0);
        for (std::uint32_t i = 0; i < count; ++i) {
            matrix.column.push_back(i);
            matrix.value.push_back(0.5F);
            matrix.rowStart.push_back(i + 1);
        }
        return matrix;
    };
    mesh.levels = {{3, {{0, 1, 2}}, diagonal(3), {{0, 1}, {1, 2}, {0, 2}}},
                   {6, {{0, 3, 5}, {3, 1, 4}}, diagonal(6), {{0, 3}}},
                   {7, {{0, 6, 5}}, diagonal(7), {}}};
    mesh.hypotheses = {{0, 0, 0}, {0, 0, 0.02F}};
    mesh.hypothesisLaplacian = diagonal(2);
    return mesh;
}

void addTemplates(Seeds& seeds) {
    pickle::Entries entries = pickle::templateEntries(smallTemplate());
    seeds.add("template", pickle::pickled(pickle::dict(entries)));
    for (std::size_t i = 0; i < entries.size(); ++i) {
        pickle::Entries fewer = entries;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        seeds.add("without-" + entries[i].first, pickle::pickled(pickle::dict(fewer)));
    }
}

void addObjDialects(Seeds& seeds) {
    seeds.add("exporter",
              "# by hand\r\nmtllib a.mtl\r\no thing\r\nv 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\n"
              "v 0 1 0 1.0\r\nvt 0 0\r\nvn 0 0 1\r\ng part\r\nusemtl red\r\ns 1\r\n"
              "f 1/1/1 2/1/1 3/1/1 4/1/1\r\nl 1 2\r\np 1\r\nf -4//1 -3//1 \\\r\n -2//1");
    seeds.add(
        "concave",
        "f 5 6 1 2 3 4\nv 2 1 0\nv 2 0 0\nv 0 0 0\nv 0 2 0\nv 1 2 0\nv 1 1 0\nf 6 5 4 3 2 1\n");
    seeds.add("carriage", "v 0 0 0\rv 1e-1 0 0\rv 0\t1 0\rf 1 2 3\r");
    std::string wide("\xff\xfe");
    for (const char c : std::string("v 0 0 0\r\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")) {
        wide += c;
        wide += '\0';
    }
    seeds.add("utf16", wide);
    std::string swapped;
    for (std::size_t i = 0; i < wide.size(); i += 2) {
        swapped += wide[i + 1];
        swapped += wide[i];
    }
    seeds.add("utf16-big", swapped);
    seeds.add("mark", "\xef\xbb\xbfv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3\n");
}

void addPlyDialects(Seeds& seeds) {
    const std::string body =
        "element vertex 3\nproperty float x\nproperty float y\nproperty double z\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty int flags\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    seeds.add("text", "ply\nformat ascii 1.0\ncomment x\n" + body +
                          "0 0 0 255 0 0 1\n1 0 0 0 255 0 1\n0 1 0 0 0 255 1\n3 0 1 2");
    std::string rows;
    for (int i = 0; i < 3; ++i) rows += std::string(16, static_cast<char>(i)) + "\1\2\3abcd";
    const std::string little("\3\0\0\0\0\1\0\0\0\2\0\0\0", 13);
    const std::string big("\3\0\0\0\0\0\0\0\1\0\0\0\2", 13);
    seeds.add("little", "ply\nformat binary_little_endian 1.0\n" + body + rows + little);
    seeds.add("big", "ply\r\nformat binary_big_endian 1.0\r\n" + body + rows + big);
}

void addStlDialects(Seeds& seeds) {
    seeds.add("text",
              "solid a name\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
              "vertex 0 1 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\n"
              "vertex 1 1 0\nvertex 0 1 -0\nendloop\nendfacet\nendsolid a name\n");
}

void addGlbDialects(Seeds& seeds) {
    const std::string json =
        R"({"scenes":[{"nodes":[0]}],"nodes":[{"children":[1],"translation":[1,0,0]},)"
        R"({"mesh":0,"scale":[2,2,2],"rotation":[0,0,0,1]}],"meshes":[{"primitives":[)"
        R"({"attributes":{"POSITION":0},"indices":1},{"attributes":{"POSITION":0},"mode":5},)"
        R"({"attributes":{"POSITION":0},"mode":0}]}],"accessors":[{"bufferView":0,)"
        R"("componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5123,)"
        R"("count":3,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":36},)"
        R"({"buffer":0,"byteOffset":36,"byteLength":6}],"buffers":[{"byteLength":44}]})";
    const auto number = [](std::size_t value) {
        return pickle::bytesOf32(static_cast<std::uint32_t>(value));
    };
    const std::string padded = json + std::string((4 - json.size() % 4) % 4, ' ');
    std::string data(44, '\0');
    data[15] = data[31] = '\x3f';
    data[38] = 1;
    data[40] = 2;
    seeds.add("nodes", "glTF" + number(2) + number(28 + padded.size() + data.size()) +
                           number(padded.size()) + "JSON" + padded + number(data.size()) +
                           std::string("BIN\0", 4) + data);
}

void addMeshArrays(Seeds& seeds) {
    seeds.addFixtures(".npy");
    seeds.addFixtures(".npz");
}

const std::map<std::string_view, std::function<void(Seeds&)>>& makers() {
    static const std::map<std::string_view, std::function<void(Seeds&)>> kMakers = {
        {"png", [](Seeds& s) { s.addFixtures(".png"); }},
        {"jpeg", [](Seeds& s) { s.addFixtures(".jpg"); }},
        {"pickle",
         [](Seeds& s) {
             s.addFixtures(".pkl");
             addTruths(s);
         }},
        {"truth",
         [](Seeds& s) {
             addTruths(s);
             addMeshArrays(s);
         }},
        {"template", addTemplates},
        {"npy", [](Seeds& s) { s.addFixtures(".npy"); }},
        {"npz", [](Seeds& s) { s.addFixtures(".npz"); }},
        {"safetensors", [](Seeds& s) { s.addFixtures(".safetensors"); }},
        {"obj",
         [](Seeds& s) {
             s.addMeshes(MeshFormat::obj);
             addObjDialects(s);
         }},
        {"ply",
         [](Seeds& s) {
             s.addMeshes(MeshFormat::ply);
             addPlyDialects(s);
         }},
        {"stl",
         [](Seeds& s) {
             s.addMeshes(MeshFormat::stl);
             addStlDialects(s);
         }},
        {"glb",
         [](Seeds& s) {
             s.addMeshes(MeshFormat::glb);
             addGlbDialects(s);
         }},
        {"xyz",
         [](Seeds& s) {
             s.addMeshes(MeshFormat::xyz);
             s.add("commas", "# cloud\n0 1 2\n\n3,4,5\n");
             s.add("normals", "0 1 2 0 0 1\n3 4 5 0 1 0");
         }},
        {"metadata", [](Seeds& s) { s.addFixtures(".txt"); }},
        {"list",
         [](Seeds& s) {
             s.add("names", "# test\n02691156_p0001_00.dat\r\n\n  02691156_p0002_06.dat\t\n");
         }},
    };
    return kMakers;
}

}  // namespace

std::vector<Seed> seedsOf(std::string_view target) {
    Seeds seeds;
    if (const auto found = makers().find(target); found != makers().end()) found->second(seeds);
    for (const char* extension : {".obj", ".ply", ".stl", ".glb", ".xyz"})
        if (extension + 1 == target) seeds.addFixtures(extension);
    seeds.addFiles(Path(THREEFOLD_TEST_DATA) / "fuzz/corpus" / target);
    return seeds.take();
}

}  // namespace threefold::test
