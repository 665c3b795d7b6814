#include "ui/document/session.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/views/network_input.h"
#include "ui/document/look_fields.h"

namespace threefold::ui {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestFile = std::uintmax_t{4} << 20;
constexpr std::size_t kMostViewsOfItem = 1000;
constexpr const char* kRemedy = "Save the session again, or correct this value by hand.";

constexpr Named<MeshSpace> kSpaces[] = {{"view", MeshSpace::view}, {"world", MeshSpace::world}};

Json spaceJson(const std::optional<MeshSpace>& space) {
    return space ? Json(nameIn<MeshSpace>(kSpaces, *space)) : Json(nullptr);
}

std::string pathText(const fs::path& file, const fs::path& folder) {
    if (file.empty()) return {};
    const fs::path whole = fs::absolute(file).lexically_normal();
    const fs::path within = whole.lexically_relative(fs::absolute(folder).lexically_normal());
    const bool below = !within.empty() && *within.begin() != "..";
    return (below ? within : whole).string();
}

/// One object of the file, and how it is called in errors.
class Reader {
  public:
    Reader(const Json& json, std::string place, const fs::path& file)
        : json_(json), place_(std::move(place)), file_(file) {
        if (!json_.is_object()) fail("", "is not an object");
    }

    [[noreturn]] void fail(const std::string& key, const std::string& problem) const {
        const std::string place = place_.empty() ? key : key.empty() ? place_ : place_ + '.' + key;
        throw FormatError({file_.string(), place, problem, kRemedy});
    }
    bool has(const char* key) const { return json_.contains(key) && !json_.at(key).is_null(); }
    Reader object(const char* key) const { return {at(key), within(key), file_}; }
    const Json& list(const char* key, std::size_t most) const {
        const Json& found = at(key);
        if (!found.is_array() || found.size() > most)
            fail(key, fmt::format("is not a list of at most {} entries", most));
        return found;
    }
    Reader element(const Json& json, const char* key, std::size_t index) const {
        return {json, fmt::format("{}[{}]", within(key), index), file_};
    }
    std::string text(const char* key) const {
        const Json& found = at(key);
        if (!found.is_string()) fail(key, "is not text");
        return found.get<std::string>();
    }
    fs::path path(const char* key) const {
        fs::path found = text(key);
        if (found.empty() || found.is_absolute()) return found;
        return (fs::absolute(file_).parent_path() / found).lexically_normal();
    }
    double number(const char* key, double least, double most) const {
        const Json& found = at(key);
        const double value = found.is_number() ? found.get<double>() : std::nan("");
        if (!(value >= least && value <= most))
            fail(key, fmt::format("is not a number between {} and {}", least, most));
        return value;
    }
    int whole(const char* key, int least, int most) const {
        const double value = number(key, least, most);
        if (value != std::floor(value)) fail(key, "is not a whole number");
        return static_cast<int>(value);
    }
    bool flag(const char* key) const {
        const Json& found = at(key);
        if (!found.is_boolean()) fail(key, "is neither true nor false");
        return found.get<bool>();
    }
    template <class Value, std::size_t kCount>
    Value named(const char* key, const Named<Value> (&names)[kCount]) const {
        const std::string found = text(key);
        for (const auto& [name, value] : names)
            if (found == name) return value;
        fail(key, fmt::format("'{}' is unknown", found.substr(0, 40)));
    }
    /// Each number within ±most.
    glm::dvec3 vector(const char* key, double most) const {
        const Json& found = list(key, 3);
        glm::dvec3 value(0.0);
        for (int axis = 0; axis < 3; ++axis) {
            const auto index = static_cast<std::size_t>(axis);
            if (found.size() != 3 || !found[index].is_number() ||
                !(std::abs(found[index].get<double>()) <= most))
                fail(key, "is not three numbers");
            value[axis] = found[index].get<double>();
        }
        return value;
    }
    std::optional<MeshSpace> space(const char* key) const {
        return has(key) ? std::optional(named(key, kSpaces)) : std::nullopt;
    }

  private:
    std::string within(const char* key) const { return place_.empty() ? key : place_ + '.' + key; }
    const Json& at(const char* key) const {
        const auto found = json_.find(key);
        if (found == json_.end()) fail(key, "is missing");
        return *found;
    }

    const Json& json_;
    std::string place_;
    const fs::path& file_;
};

Json sampleJson(const Sample& sample, const std::vector<int>& views, const fs::path& folder) {
    Json all = Json::array();
    for (std::size_t i = 0; i < sample.viewCount(); ++i) {
        const CameraRow& row = sample.cameraRows[i];
        all.push_back({{"image", pathText(sample.images[i], folder)},
                       {"azimuth", row.azimuth},
                       {"elevation", row.elevation},
                       {"inPlane", row.inPlane},
                       {"distance", row.distance},
                       {"fieldOfView", row.fieldOfView}});
    }
    Json json = {{"category", sample.category},
                 {"item", sample.item},
                 {"folder", pathText(sample.renderingFolder, folder)},
                 {"chosen", views},
                 {"views", std::move(all)}};
    if (sample.own) {
        const ObjectPlace& place = sample.own->frame.place;
        json["own"] = {{"cameras", pathText(sample.own->file, folder)},
                       {"centre", {place.centre->x, place.centre->y, place.centre->z}},
                       {"size", *place.size},
                       {"up", {place.up->x, place.up->y, place.up->z}}};
    }
    if (!sample.groundTruth.empty())
        json["truth"] = {{"file", pathText(sample.groundTruth, folder)},
                         {"view", sample.groundTruthView},
                         {"space", spaceJson(sample.groundTruthSpace)}};
    return json;
}

/// The rows may have been changed by hand; the photographs and their lenses are the file's.
void readOwn(const Reader& reader, Sample& sample) {
    constexpr double kAny = std::numeric_limits<double>::max();
    const ObjectPlace place{reader.vector("centre", kAny), reader.number("size", 1e-12, 1e12),
                            reader.vector("up", kAny)};
    sample.own = std::make_shared<const OwnCameras>(readOwnCameras(reader.path("cameras"), place));
    if (sample.own->views.size() != sample.viewCount())
        reader.fail("cameras", fmt::format("is of {} views by now, the session is of {}",
                                           sample.own->views.size(), sample.viewCount()));
}

void readSample(const Reader& reader, Session& session) {
    constexpr double kFar = 1e6;
    auto sample = std::make_shared<Sample>();
    sample->category = reader.text("category");
    sample->item = reader.text("item");
    sample->renderingFolder = reader.path("folder");
    const Json& views = reader.list("views", kMostViewsOfItem);
    for (std::size_t i = 0; i < views.size(); ++i) {
        const Reader view = reader.element(views[i], "views", i);
        sample->images.push_back(view.path("image"));
        sample->cameraRows.push_back(
            {view.number("azimuth", -kFar, kFar), view.number("elevation", -kFar, kFar),
             view.number("inPlane", -kFar, kFar), view.number("distance", 1e-6, kFar),
             view.number("fieldOfView", -kFar, kFar)});
    }
    const Json& chosen = reader.list("chosen", kMostViews);
    for (const Json& view : chosen) {
        const bool there = view.is_number_integer() && view.get<std::int64_t>() >= 0 &&
                           view.get<std::int64_t>() < static_cast<std::int64_t>(views.size());
        if (!there) reader.fail("chosen", "names a view that is not there");
        const int number = view.get<int>();
        if (std::find(session.views.begin(), session.views.end(), number) != session.views.end())
            reader.fail("chosen", fmt::format("names the view {} twice", number));
        session.views.push_back(number);
    }
    if (session.views.size() < kFewestViews)
        reader.fail("chosen", fmt::format("names fewer than {} views", kFewestViews));
    if (reader.has("truth")) {
        const Reader truth = reader.object("truth");
        sample->groundTruth = truth.path("file");
        sample->groundTruthView = truth.whole("view", 0, static_cast<int>(views.size()) - 1);
        sample->groundTruthSpace = truth.space("space");
    }
    if (reader.has("own")) readOwn(reader.object("own"), *sample);
    session.sample = std::move(sample);
}

struct LookWriter {
    Json& json;

    void operator()(LookKey key, bool value) const { json[key.session] = value; }
    void operator()(LookKey key, float value, double, double) const { json[key.session] = value; }
    template <class Value, std::size_t kCount>
    void operator()(LookKey key, Value value, const Named<Value> (&names)[kCount]) const {
        json[key.session] = nameIn<Value>(names, value);
    }
};

struct LookReader {
    const Reader& reader;

    void operator()(LookKey key, bool& value) const { value = reader.flag(key.session); }
    void operator()(LookKey key, float& value, double least, double most) const {
        value = static_cast<float>(reader.number(key.session, least, most));
    }
    template <class Value, std::size_t kCount>
    void operator()(LookKey key, Value& value, const Named<Value> (&names)[kCount]) const {
        value = reader.named(key.session, names);
    }
};

Json cameraJson(const render::OrbitCamera& camera) {
    return {{"target", {camera.target.x, camera.target.y, camera.target.z}},
            {"distance", camera.distance},
            {"yaw", camera.yaw},
            {"pitch", camera.pitch},
            {"fieldOfView", camera.fieldOfView}};
}

render::OrbitCamera readCamera(const Reader& reader) {
    constexpr double kFar = 1e6;
    constexpr double kHalfTurn = 3.1416;
    render::OrbitCamera camera;
    camera.target = glm::vec3(reader.vector("target", kFar));
    camera.distance = static_cast<float>(reader.number("distance", 1e-6, kFar));
    camera.yaw = static_cast<float>(reader.number("yaw", -kHalfTurn, kHalfTurn));
    camera.pitch = static_cast<float>(reader.number("pitch", -kHalfTurn / 2, kHalfTurn / 2));
    camera.fieldOfView = static_cast<float>(reader.number("fieldOfView", 0.01, 3.1));
    return camera;
}

}  // namespace

std::string formatSession(const Session& session, const fs::path& folder) {
    Json json = {{"threefold", "session"}, {"version", kSessionVersion}};
    if (session.sample) json["sample"] = sampleJson(*session.sample, session.views, folder);
    if (!session.comparison.empty())
        json["comparison"] = {{"file", pathText(session.comparison, folder)},
                              {"space", spaceJson(session.comparisonSpace)}};
    visitLook(session.look, LookWriter{json["look"]});
    json["linked"] = session.linked;
    json["cameras"] = Json::array();
    for (const render::OrbitCamera& camera : session.cameras)
        json["cameras"].push_back(cameraJson(camera));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Session parseSession(std::string_view text, const fs::path& file) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        throw FormatError({file.string(), "", "is not JSON, as a session is",
                           "Choose a file that 'Save session' wrote."});
    const Reader reader(json, "", file);
    if (!reader.has("threefold") || reader.text("threefold") != "session")
        reader.fail("threefold", "does not say 'session'");
    const int version = reader.whole("version", 1, 1'000'000);
    if (version > kSessionVersion)
        throw InputError({file.string(), "version",
                          fmt::format("is {}, this program reads {}", version, kSessionVersion),
                          "Open it with a newer Threefold."});
    Session session;
    if (reader.has("sample")) readSample(reader.object("sample"), session);
    if (reader.has("comparison")) {
        const Reader comparison = reader.object("comparison");
        session.comparison = comparison.path("file");
        session.comparisonSpace = comparison.space("space");
    }
    visitLook(session.look, LookReader{reader.object("look")});
    session.linked = reader.flag("linked");
    constexpr std::size_t kMostPanes = 8;
    const Json& cameras = reader.list("cameras", kMostPanes);
    for (std::size_t i = 0; i < cameras.size(); ++i)
        session.cameras.push_back(readCamera(reader.element(cameras[i], "cameras", i)));
    return session;
}

Session readSession(const fs::path& file) {
    const std::vector<std::byte> bytes = readFile(file, kLargestFile);
    return parseSession(asText(bytes), file);
}

void writeSession(const fs::path& file, const Session& session) {
    writeFileWhole(file,
                   std::string_view(formatSession(session, fs::absolute(file).parent_path())));
}

}  // namespace threefold::ui
