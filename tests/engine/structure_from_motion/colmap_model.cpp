#include "tests/engine/structure_from_motion/colmap_model.h"

#include <bit>
#include <cstdint>

#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include "engine/formats/files/write_file.h"

namespace threefold::test {
namespace {

/// Little-endian fields of a binary model.
class ModelBytes {
  public:
    void number(std::uint64_t value, int width) {
        for (int i = 0; i < width; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
    }
    void real(double value) { number(std::bit_cast<std::uint64_t>(value), 8); }
    void name(const std::string& text) { bytes_.append(text.c_str(), text.size() + 1); }
    void write(const std::filesystem::path& file) const { writeFileAtomically(file, bytes_); }

  private:
    std::string bytes_;
};

}  // namespace

void writeColmapModel(const std::filesystem::path& folder, const Lens& lens,
                      std::span<const ModelPicture> pictures, std::span<const glm::dvec3> points,
                      double error) {
    std::filesystem::create_directories(folder);
    ModelBytes cameras;
    cameras.number(1, 8);
    cameras.number(1, 4);
    cameras.number(2, 4);
    cameras.number(static_cast<std::uint64_t>(lens.width), 8);
    cameras.number(static_cast<std::uint64_t>(lens.height), 8);
    for (const double value : {lens.focalX, lens.principalX, lens.principalY, lens.k1})
        cameras.real(value);
    cameras.write(folder / "cameras.bin");

    ModelBytes images;
    images.number(pictures.size(), 8);
    std::uint64_t id = 0;
    for (const ModelPicture& picture : pictures) {
        const glm::dmat3 flip(1, 0, 0, 0, -1, 0, 0, 0, -1);
        const glm::dmat3 rotation = flip * picture.pose.rotation;
        const glm::dquat turn = glm::quat_cast(rotation);
        const glm::dvec3 translation = -(rotation * picture.pose.centre);
        images.number(++id, 4);
        for (const double value : {turn.w, turn.x, turn.y, turn.z}) images.real(value);
        for (int i = 0; i < 3; ++i) images.real(translation[i]);
        images.number(1, 4);
        images.name(picture.name);
        images.number(points.size() + 1, 8);
        for (std::uint64_t i = 0; i <= points.size(); ++i) {
            images.real(1);
            images.real(2);
            // The last image point has no 3D point.
            images.number(i < points.size() ? i + 1 : ~std::uint64_t{0}, 8);
        }
    }
    images.write(folder / "images.bin");

    ModelBytes cloud;
    cloud.number(points.size(), 8);
    for (std::uint64_t i = 0; i < points.size(); ++i) {
        cloud.number(i + 1, 8);
        for (int axis = 0; axis < 3; ++axis) cloud.real(points[i][axis]);
        cloud.number(0x808080, 3);
        cloud.real(error);
        cloud.number(pictures.size(), 8);
        for (std::uint64_t k = 1; k <= pictures.size(); ++k) {
            cloud.number(k, 4);
            cloud.number(i, 4);
        }
    }
    cloud.write(folder / "points3D.bin");
}

void writeFakeColmap(const std::filesystem::path& program, const std::filesystem::path& models,
                     ColmapNames names) {
    std::filesystem::create_directories(program.parent_path());
    const std::string words = names == ColmapNames::until312
                                  ? "family=Sift other=Feature act=Matching frames=\n"
                                  : "family=Feature other=Sift act=Processing "
                                    "frames=num_reg_frames=\n";
    writeFileAtomically(program, "#!/bin/sh\n" + words + "models='" + models.string() + R"sh('
command=$1
shift
if [ "$1" = -h ]; then
    for option in Extraction.use_gpu Extraction.max_image_size Extraction.num_threads \
            Matching.use_gpu; do
        echo "  --$family$option arg (=1)"
    done
    exit 0
fi
while [ $# -gt 1 ]; do
    case $1 in
    --"$other"*) echo "Failed to parse options - unrecognised option '$1'." >&2; exit 1 ;;
    --image_list_path) list=$2 ;;
    --database_path) database=$2 ;;
    --ImageReader.mask_path) masks=$2 ;;
    --output_path) output=$2 ;;
    esac
    shift 2
done
case $command in
feature_extractor)
    [ -z "$masks" ] || touch "$database.masked"
    while read -r name; do
        [ -z "$masks" ] || [ -f "$masks/$name.png" ] || { echo "no mask of $name" >&2; exit 4; }
        echo "Processed file [1/1]"
        echo "  Name:            $name"
        echo "  Features:        900"
    done < "$list" ;;
*_matcher)
    [ "$FAKE_COLMAP" != fail ] || { echo "no more space" >&2; exit 3; }
    echo "$act block [1/1, 1/1] in 0.1s" ;;
mapper)
    if [ "$FAKE_COLMAP" = hang ]; then
        sleep 600 &
        echo $! > "$FAKE_COLMAP_CHILD.part"
        mv "$FAKE_COLMAP_CHILD.part" "$FAKE_COLMAP_CHILD"
        wait
    fi
    [ "$FAKE_COLMAP" != none ] || { echo "ERROR: failed to create sparse model"; exit 1; }
    echo "Registering image #3 (${frames}2)"
    [ ! -f "$database.masked" ] || [ ! -d "$models-in-masks" ] || models=$models-in-masks
    cp -r "$models"/* "$output" ;;
esac
)sh");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
}

}  // namespace threefold::test
