#include "tests/fuzz/seeds.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "engine/evaluation/journal/journal_text.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/zip_archive.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "engine/formats/pictures/image_writers.h"
#include "tests/engine/model/model_fixture.h"
#include "tests/fuzz/bundle_parts.h"
#include "tests/support/exif_bytes.h"
#include "tests/support/glb_writer.h"
#include "tests/support/heic_bytes.h"
#include "tests/support/npz_writer.h"
#include "tests/support/pickle_writer.h"
#include "tests/support/tensor_bundle_writer.h"
#include "tests/support/torch_writer.h"

namespace threefold::test {
namespace {

using Path = std::filesystem::path;

class Seeds {
  public:
    void add(const std::string& name, std::string_view text) {
        const auto bytes = asBytes(text);
        all_.push_back({name, {bytes.begin(), bytes.end()}});
    }

    /// Adds the files of a folder that have the extension (empty: all); none if there is no such
    /// folder.
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

    /// Adds the entries of a zip file; none if there is no such file.
    void addArchive(const Path& file) {
        if (!std::filesystem::exists(file)) return;
        const std::vector<std::byte> bytes = readFile(file);
        const ZipArchive archive(bytes, file);
        for (const ZipArchive::Entry& entry : archive.entries())
            all_.push_back({"kept-" + entry.name, archive.read(entry)});
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
        if (infoOf(format).carriesColours) add("colours", encodeMesh(format, mesh, {colours, {}}));
        if (infoOf(format).carriesFaces) add("points", encodeMesh(format, {mesh.vertices, {}}));
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

/// A triangle that is subdivided twice.
TemplateMesh smallTemplate() {
    TemplateMesh mesh;
    mesh.vertices = {{0, 0, -0.8F}, {0.1F, 0, -0.8F}, {0, 0.1F, -0.8F}};
    const auto diagonal = [](std::uint32_t count) {
        SparseMatrix matrix;
        matrix.rowOffsets.push_back(0);
        for (std::uint32_t i = 0; i < count; ++i) {
            matrix.columns.push_back(i);
            matrix.values.push_back(0.5F);
            matrix.rowOffsets.push_back(i + 1);
        }
        return matrix;
    };
    mesh.levels = {{3, {{0, 1, 2}}, diagonal(3), {{0, 1}, {1, 2}, {0, 2}}},
                   {6, {{0, 3, 5}, {3, 1, 4}}, diagonal(6), {{0, 3}}},
                   {7, {{0, 6, 5}}, diagonal(7), {}}};
    mesh.hypothesisOffsets = {{0, 0, 0}, {0, 0, 0.02F}};
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
    seeds.add("empty_parts",
              "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1// 2/1/ 3//\nf 1/1/1 2/ 3//1\n");
    seeds.add("no_colours", "v 0 0 0 1 0 0\nv 1 0 0 nan x 0\nv 0 1 0 0 0 1\nf 1 2 3\n");
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

constexpr const char* kLibrary =
    "# by hand\r\nnewmtl red\r\nKd 1 0 0\r\nd 0.5\r\nmap_Kd -s 2 2 1 -o .5 -clamp on a b.png\r\n"
    "newmtl Material #25\nKd 0.5\nTr 0.25\nmap_d -imfchan m ..\\b.png\nKs 1 1 1\nillum 2\n";

void addMaterialLibraries(Seeds& seeds) {
    seeds.add("library", kLibrary);
    seeds.add("mark", std::string("\xef\xbb\xbf") + kLibrary);
    seeds.add("halo", "newmtl a\nd -halo 0.5\nKd xyz 1 1 1\nmap_Kd -bm 1 -mm 0 1 \"a.png\"\n");
}

void addObjSurfaces(Seeds& seeds) {
    const std::string obj =
        "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\n"
        "usemtl red\nf 1/1 2/2 3/3\nusemtl Material #25\nf 1/1/1 3/-1 4\nf 1//2 2/9/ 4/\n";
    seeds.add("both", obj + '\0' + kLibrary);
    seeds.add("alone", obj);
}

void addTexturedGlbs(Seeds& seeds) {
    GlbWriter writer;
    writer.addSquare();
    const std::vector<std::byte> png = encodePng({2, 1, {1, 2, 3, 255, 4, 5, 6, 0}});
    const auto texture = static_cast<int>(writer.addTexture(asText(png)));
    writer.primitive()["material"] = writer.addMaterial({1, 0.5, 0.25, 0.5}, texture);
    seeds.add("plain", writer.glb());
    nlohmann::json& material = writer.json["materials"][0];
    material["alphaMode"] = "MASK";
    material["extensions"] = {{"KHR_materials_unlit", nlohmann::json::object()}};
    material["pbrMetallicRoughness"]["baseColorTexture"]["extensions"]["KHR_texture_transform"] = {
        {"offset", {0, 1}}, {"rotation", 1.5}, {"scale", {2, -2}}, {"texCoord", 0}};
    writer.json["samplers"] = {{{"wrapS", 33648}, {"wrapT", 33071}}};
    writer.json["textures"][0]["sampler"] = 0;
    writer.primitive()["attributes"]["COLOR_0"] =
        writer.addFloats({1, 0, 0, 1, 0, 1, 0, 0.5, 0, 0, 1, 1, 1, 1, 1, 0}, "VEC4");
    seeds.add("much", writer.glb());
    writer.json["images"][0] = {{"uri", "data:image/png;base64,iVBORw0KGgo="}};
    nlohmann::json& accessor = writer.json["accessors"][0];
    const std::size_t view = accessor["bufferView"];
    accessor["sparse"] = {{"count", 1},
                          {"indices", {{"bufferView", 2}, {"componentType", 5121}}},
                          {"values", {{"bufferView", view}}}};
    seeds.add("sparse", writer.glb());
}

void addNpz(Seeds& seeds) {
    seeds.addFixtures(".npz");
    const Array points = makeArray(std::vector<float>{1, 2, 3}, {1, 3});
    seeds.add("others", zipped({{"names.npy", npy("'<U1'", {1}, "a\0\0\0")},
                                {"rows.npy", npy("[('a', '<f4')]", {1}, "abcd")},
                                {"points.npy", npy(points)}}));
}

void addMeshArrays(Seeds& seeds) {
    seeds.addFixtures(".npy");
    seeds.addFixtures(".npz");
}

const Path kWeights = Path(THREEFOLD_TEST_DATA) / "engine/formats/data/weights";

/// Tensors of the two element types that weights have.
ArrayMap someTensors() {
    return {{"scope/conv/kernel", makeArray(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3})},
            {"scope/conv/bias", makeArray(std::vector<float>{1, -1}, {2})},
            {"step", makeArray(std::vector<std::int32_t>{7}, {})}};
}

/// Checkpoints with plain, small and compressed blocks.
std::vector<Bundle> someBundles() {
    BundleOptions plain{1, false, {false, 4096, 16}};
    BundleOptions small{2, true, {false, 1, 1}};
    BundleOptions packed{2, false, {true, 4096, 2}};
    return {makeBundle(someTensors(), plain), makeBundle(someTensors(), small),
            makeBundle(someTensors(), packed)};
}

std::string textOf(const Path& file) {
    return std::string(asText(readFile(file)));
}

void addBundles(Seeds& seeds) {
    const auto bundles = someBundles();
    for (std::size_t i = 0; i < bundles.size(); ++i)
        seeds.add("bundle-" + std::to_string(i),
                  bundleInput(bundles[i].index(), bundles[i].shards));
    seeds.add("two_shards", bundleInput(textOf(kWeights / "two_shards.index"),
                                        {textOf(kWeights / "two_shards.data-00000-of-00002"),
                                         textOf(kWeights / "two_shards.data-00001-of-00002")}));
}

void addBundleIndices(Seeds& seeds) {
    const auto bundles = someBundles();
    for (std::size_t i = 0; i < bundles.size(); ++i)
        seeds.add("bundle-" + std::to_string(i), bundles[i].index());
    seeds.addFiles(kWeights, ".index");
}

void addTorchPickles(Seeds& seeds) {
    TorchTensor turned;
    turned.shape = {3, 2};
    turned.strides = {1, 3};
    seeds.add(
        "tensors",
        pickle::pickled(pickle::dict({{"state_dict", pickle::dict({{"a", pickled(TorchTensor{})},
                                                                   {"b", pickled(turned)}})}})));
    seeds.add("list", pickle::pickled(pickle::list({pickled(TorchTensor{}), "N"})));
}

void addCameras(Seeds& seeds) {
    const std::string matrix = "[[1,0,0,0.5],[0,1,0,-2],[0,0,1,3],[0,0,0,1]]";
    std::string frames, views;
    for (const char* name : {"a", "b"}) {
        const std::string comma = frames.empty() ? "" : ",";
        frames += comma + R"({"file_path":")" + name + R"(","transform_matrix":)" + matrix + "}";
        views += comma + R"({"image":")" + name + R"(","matrix":)" + matrix +
                 R"(,"intrinsics":[[120,0,50],[0,120,40],[0,0,1]],"width":100,"height":80,)" +
                 R"("distortion":[0.1,0.01,0,0]})";
    }
    seeds.add("nerf", R"({"camera_angle_x":0.69,"frames":[)" + frames + "]}");
    seeds.add("nerfstudio",
              R"({"camera_model":"OPENCV","fl_x":120,"fl_y":119.5,"cx":50,"cy":40,"w":100,"h":80,)"
              R"("k1":0.1,"k2":-0.01,"p1":0.001,"p2":0,"is_fisheye":false,"object_centre":[0,1,2],)"
              R"("object_size":0.5,"up":[0,0,1],"frames":[)" +
                  frames + "]}");
    seeds.add("cameras",
              R"({"convention":"opencv","matrices":"world_to_camera","pixel_centre":0.5,)"
              R"("views":[)" +
                  views + "]}");
}

void addColmap(Seeds& seeds) {
    const std::string cameras =
        "# Camera list\n1 SIMPLE_PINHOLE 100 80 120 50 40\n2 PINHOLE 100 80 120 119 50 40\n"
        "3 SIMPLE_RADIAL 100 80 120 50 40 0.1\n4 RADIAL 100 80 120 50 40 0.1 0.01\n"
        "5 OPENCV 100 80 120 119 50 40 0.1 0.01 0.001 0\n";
    const std::string images =
        "# Image list\n1 1 0 0 0 0.5 -2 3 1 a.png\n10 20 -1 11.5 21 3\n"
        "2 0.6 0.8 0 0 0 0 3 5 b name.png\n\n3 0 0 1 0 0 1 3 2 c.png\n";
    seeds.add("model", cameras + '\0' + images);
}

const Path kRing = Path(THREEFOLD_TEST_DATA) / "wild/cameras";

void addRing(Seeds& seeds, const char* folder, std::string_view extension) {
    seeds.addFiles(kRing / folder, extension);
}

void addColmapBinary(Seeds& seeds) {
    const Path model = Path(THREEFOLD_TEST_DATA) / "wild/colmap_binary/sparse/0";
    const std::vector<std::byte> cameras = readFile(model / "cameras.bin");
    const std::vector<std::byte> images = readFile(model / "images.bin");
    std::string both;
    both += static_cast<char>(cameras.size() & 0xffU);
    both += static_cast<char>(cameras.size() >> 8U);
    seeds.add("model", both + std::string(asText(cameras)) + std::string(asText(images)));
}

void addBundler(Seeds& seeds) {
    const std::vector<std::byte> list = readFile(kRing / "bundler/list.txt");
    const std::vector<std::byte> bundle = readFile(kRing / "bundler/bundle.out");
    seeds.add("ring", std::string(asText(list)) + '\0' + std::string(asText(bundle)));
}

void addOff(Seeds& seeds) {
    seeds.addFiles(Path(THREEFOLD_TEST_DATA) / "wild", ".off");
    seeds.add("square", "OFF\n# by hand\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n");
    seeds.add("colours",
              "COFF 3 1 0\n0 0 0 255 0 0 255\n1 0 0 0 255 0 255\n0 1 0 0 0 255 255\n3 0 1 2 9\n");
}

void addJournals(Seeds& seeds) {
    RunDescription description;
    description.identity.listHash = "ab";
    description.identity.listSize = 3;
    description.identity.measures.views = {0, 1, 2};
    description.identity.measures.protocols = {Protocol::published, Protocol::surface};
    description.machines.push_back({"processor", "AVX2", 2, "4 GiB", "Linux", "", "", "oneDNN"});
    description.startedAt = "2024-05-01T10:00:00Z";
    SampleRecord done;
    done.name = "02691156_p0001_00";
    done.scores.resize(1);
    for (const std::string_view mesh : kPublishedStageNames) {
        Scores scores;
        scores.measures.fScores = {{{0.00005, 1, 0.5, 0.66},
                                    {0.0001, 1, 0.75, 0.85},
                                    {0.00015, 1, 0.75, 0.85},
                                    {0.0002, 1, 1, 1}}};
        scores.normalConsistency = 0.5;
        scores.earthMovers = EarthMoversDistance{0.5, 0.25, false};
        done.scores[0].add(mesh, scores);
    }
    done.silhouettes = {{0,
                         {{"coarse", SilhouetteScore{0.5, OutlineDistance{1.5, 4}}},
                          {"refined", SilhouetteScore{0.25, {}}}}},
                        {6}};
    done.times.steps = {{RunStep::cnn1, 1.5}};
    SampleRecord failed;
    failed.position = 1;
    failed.listedName = "name";
    failed.error = "why";
    const std::string begun = journalHeaderLine(description) + journalSessionLine(description);
    seeds.add("begun", begun);
    seeds.add("records", begun + journalRecordLine(done, 2) + journalRecordLine(failed, 3));
    seeds.add("resumed", begun + journalRecordLine(failed, 2) + journalSessionLine(description));
    seeds.add("torn", begun + journalRecordLine(done, 2).substr(0, 100));
}

/// A lossless WebP of one pixel.
const std::string kTinyWebp(
    "RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0", 34);
const std::vector<ExifEntry> kSensor{
    {0xA002, 6000}, {0xA003, 4000}, {0x920A, 50, 1}, {0xA20E, 1524000, 360}};

const std::map<std::string_view, std::function<void(Seeds&)>>& makers() {
    static const std::map<std::string_view, std::function<void(Seeds&)>> kMakers = {
        {"png", [](Seeds& s) { s.addFixtures(".png"); }},
        {"jpeg", [](Seeds& s) { s.addFixtures(".jpg"); }},
        {"webp",
         [](Seeds& s) {
             s.addFixtures(".webp");
             s.add("turned", webpWithExif(kTinyWebp, exifBytes(6)));
         }},
        {"heic_boxes",
         [](Seeds& s) {
             const HeicItem tile{"hvc1", {}, 64, 64, 1, 1, 0, 64};
             s.add("one", heicBytes({tile}, 1));
             s.add("grid", heicBytes({tile, {"grid", {1, 1, 1, 1}, 128, 128, 2, 2}}, 2));
             s.add("derived", heicBytes({tile, {"iden", {1}}, {"iovl", {1, 2}}}, 3));
         }},
        {"exif",
         [](Seeds& s) {
             s.add("lens", exifBytes(8, {{0xA405, 26}}));
             s.add("sensor", exifBytes(6, kSensor, true));
             s.add("profile", iccProfile("Display P3", true));
             s.add("profile2", iccProfile("P3", false));
         }},
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
        {"npz", addNpz},
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
        {"mtl", addMaterialLibraries},
        {"obj_surface", addObjSurfaces},
        {"textured_glb",
         [](Seeds& s) {
             addTexturedGlbs(s);
             addGlbDialects(s);
         }},
        {"npy_header", [](Seeds& s) { s.addFixtures(".npy"); }},
        {"npz_headers", addNpz},
        {"image_size",
         [](Seeds& s) {
             s.addFixtures(".png");
             s.addFixtures(".jpg");
             s.addFixtures(".webp");
             s.add("photo", jpegWithExif("\xff\xd8\xff\xd9", exifBytes(6, kSensor)));
         }},
        {"bundle_index", addBundleIndices},
        {"bundle", addBundles},
        {"torch",
         [](Seeds& s) {
             s.add("tensors", torchArchive(someTensors()));
             s.addFiles(kWeights, ".pt");
             s.addFiles(kWeights, ".pth");
         }},
        {"torch_pickle", addTorchPickles},
        {"cameras",
         [](Seeds& s) {
             addCameras(s);
             addRing(s, "meshroom", ".sfm");
             addRing(s, "meshroom_old", ".json");
             addRing(s, "openmvg", ".json");
         }},
        {"colmap", addColmap},
        {"colmap_binary", addColmapBinary},
        {"camera_arrays",
         [](Seeds& s) {
             for (const char* folder : {"neus", "idr", "dvr", "occupancy"})
                 addRing(s, folder, ".npz");
         }},
        {"metashape", [](Seeds& s) { addRing(s, "metashape", ".xml"); }},
        {"mvsnet", [](Seeds& s) { addRing(s, "mvsnet/cams", ".txt"); }},
        {"middlebury", [](Seeds& s) { addRing(s, "middlebury", ".txt"); }},
        {"llff", [](Seeds& s) { addRing(s, "llff", ".npy"); }},
        {"bundler", addBundler},
        {"numbers", [](Seeds& s) { addRing(s, "deferred_shading", ".txt"); }},
        {"off", addOff},
        {"journal", addJournals},
        {"metadata",
         [](Seeds& s) {
             s.addFixtures(".txt");
             s.add("mark",
                   "\xef\xbb\xbf"
                   "1 2 3 4 5\r\n");
         }},
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
    seeds.addArchive(Path(THREEFOLD_TEST_DATA) / "fuzz/corpus" / (std::string(target) + ".zip"));
    return seeds.take();
}

}  // namespace threefold::test
