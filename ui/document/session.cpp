#include "ui/document/session.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/text/json_object.h"
#include "engine/utf8.h"
#include "engine/views/network_input.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t kMaxViewsOfSample = 1000;
constexpr const char* kRemedy = "Save the session again, or correct it by hand.";

/// A value and its name in sessions.
template <class Value>
using Named = std::pair<std::string_view, Value>;

constexpr Named<MeshSpace> kSpaces[] = {{"view", MeshSpace::camera}, {"world", MeshSpace::world}};

template <class Value, std::size_t kCount>
std::string_view nameOf(const Named<Value> (&names)[kCount], Value value) {
    return std::ranges::find(names, value, &Named<Value>::second)->first;
}

Json spaceJson(const std::optional<MeshSpace>& space) {
    return space ? Json(nameOf(kSpaces, *space)) : Json(nullptr);
}

std::string storedPath(const fs::path& file, const fs::path& folder) {
    if (file.empty()) return {};
    const fs::path absolute = absolutePath(file).lexically_normal();
    const fs::path relative = absolute.lexically_relative(absolutePath(folder).lexically_normal());
    const bool below = !relative.empty() && *relative.begin() != "..";
    return (below ? relative : absolute).string();
}

/// A JSON object of a session file, with readers for its kinds of values.
class Reader : public JsonObject {
  public:
    Reader(JsonObject object) : JsonObject(std::move(object)) {}

    fs::path path(const char* key) const {
        fs::path found = text(key);
        if (found.empty() || found.is_absolute()) return found;
        return (absolutePath(file()).parent_path() / found).lexically_normal();
    }
    template <class Value, std::size_t kCount>
    Value named(const char* key, const Named<Value> (&names)[kCount]) const {
        const std::string found = text(key);
        for (const auto& [name, value] : names)
            if (found == name) return value;
        unknown(key);
    }
    [[noreturn]] void unknown(const char* key) const {
        fail(key, fmt::format("'{}' is unknown", textPrefix(text(key), 40)));
    }
    std::optional<MeshSpace> space(const char* key) const {
        return has(key) ? std::optional(named(key, kSpaces)) : std::nullopt;
    }
};

Json sampleJson(const Sample& sample, const std::vector<int>& views, const fs::path& folder) {
    Json viewArray = Json::array();
    for (std::size_t i = 0; i < sample.viewCount(); ++i) {
        const CameraRow& row = sample.cameraRows[i];
        viewArray.push_back({{"image", storedPath(sample.images[i], folder)},
                             {"azimuth", row.azimuth},
                             {"elevation", row.elevation},
                             {"inPlane", row.inPlaneRotation},
                             {"distance", row.distance},
                             {"fieldOfView", row.fieldOfView}});
    }
    Json json = {{"category", sample.category},
                 {"item", sample.id},  // the key of earlier sessions
                 {"folder", storedPath(sample.folder, folder)},
                 {"chosen", views},
                 {"views", std::move(viewArray)}};
    if (sample.photos) {
        const ObjectPlacement& placement = sample.photos->frame.placement;
        json["own"] = {{"cameras", storedPath(sample.photos->file, folder)},
                       {"centre", {placement.centre->x, placement.centre->y, placement.centre->z}},
                       {"size", *placement.size},
                       {"up", {placement.up->x, placement.up->y, placement.up->z}}};
    }
    if (sample.truth)
        json["truth"] = {{"file", storedPath(sample.truth->file, folder)},
                         {"view", sample.truthView},
                         {"space", spaceJson(sample.truth->space)}};
    return json;
}

/// Reads photographs and lenses from the camera file that the session names. The session's camera
/// rows stay, because the user may have edited them.
void parsePosedPhotos(const Reader& reader, Sample& sample) {
    const ObjectPlacement placement{reader.vector("centre"), reader.number("size", 1e-12, 1e12),
                                    reader.vector("up")};
    sample.photos =
        std::make_shared<const PosedPhotos>(readPosedPhotos(reader.path("cameras"), placement));
    if (sample.photos->views.size() != sample.viewCount())
        reader.fail("cameras", fmt::format("has {} views now, the session was saved with {}",
                                           sample.photos->views.size(), sample.viewCount()));
}

void parseSample(const Reader& reader, Session& session) {
    constexpr double kLimit = 1e6;
    auto sample = std::make_shared<Sample>();
    sample->category = reader.text("category");
    sample->id = reader.text("item");
    sample->folder = reader.path("folder");
    const std::vector<JsonObject> views = reader.objects("views", kMaxViewsOfSample);
    for (const Reader view : views) {
        sample->images.push_back(view.path("image"));
        sample->cameraRows.push_back(
            {view.number("azimuth", -kLimit, kLimit), view.number("elevation", -kLimit, kLimit),
             view.number("inPlane", -kLimit, kLimit), view.number("distance", 1e-6, kLimit),
             view.number("fieldOfView", -kLimit, kLimit)});
    }
    for (const nlohmann::json& view : reader.list("chosen", kMaxInputViews)) {
        const bool valid = view.is_number_integer() && view.get<std::int64_t>() >= 0 &&
                           view.get<std::int64_t>() < static_cast<std::int64_t>(views.size());
        if (!valid) reader.fail("chosen", "names a view that is not there");
        const int number = view.get<int>();
        if (std::find(session.views.begin(), session.views.end(), number) != session.views.end())
            reader.fail("chosen", fmt::format("names the view {} twice", number));
        session.views.push_back(number);
    }
    if (session.views.size() < kMinInputViews)
        reader.fail("chosen", fmt::format("names fewer than {} views", kMinInputViews));
    if (reader.has("truth")) {
        const Reader truth = reader.object("truth");
        sample->truth = {truth.path("file"), truth.space("space")};
        sample->truthView = truth.integer("view", 0, static_cast<int>(views.size()) - 1);
    }
    if (reader.has("own")) parsePosedPhotos(reader.object("own"), *sample);
    session.sample = std::move(sample);
}

Json lookJson(const Look& look) {
    Json json;
    for (const LookField& field : lookFields())
        std::visit([&](const auto& value) { json[field.sessionKey] = value; }, field.get(look));
    return json;
}

Look parseLookFields(const Reader& reader) {
    Look look;
    constexpr float kPublishedResult = 5;  // sessions of version 0.1 count stages from the template
    if (reader.has("way"))
        look.morphPosition = static_cast<float>(reader.number("way", 0, 6)) - kPublishedResult;
    for (const LookField& field : lookFields()) {
        if (!reader.has(field.sessionKey)) continue;  // earlier versions wrote fewer fields
        if (!field.enumWords.empty()) {
            const std::string word = reader.text(field.sessionKey);
            if (word == "level") continue;  // a quantity of version 0.1
            if (std::ranges::find(field.enumWords, word) == field.enumWords.end())
                reader.unknown(field.sessionKey);
            field.set(look, std::string_view(word));
        } else if (std::holds_alternative<float>(field.get(look))) {
            field.set(look,
                      static_cast<float>(reader.number(field.sessionKey, field.min, field.max)));
        } else {
            field.set(look, reader.boolean(field.sessionKey));
        }
    }
    return look;
}

Json cameraJson(const render::OrbitCamera& camera) {
    return {{"target", {camera.target.x, camera.target.y, camera.target.z}},
            {"distance", camera.distance},
            {"yaw", camera.yaw},
            {"pitch", camera.pitch},
            {"fieldOfView", camera.fieldOfView},
            {"cut", std::isfinite(camera.clipDepth) ? Json(camera.clipDepth) : Json(nullptr)}};
}

render::OrbitCamera parseCamera(const Reader& reader) {
    constexpr double kLimit = 1e6;
    constexpr double kHalfTurn = 3.1416;
    render::OrbitCamera camera;
    camera.target = glm::vec3(reader.vector("target"));
    for (int axis = 0; axis < 3; ++axis)
        if (!(std::abs(camera.target[axis]) <= kLimit)) reader.fail("target", "is too far away");
    camera.distance = static_cast<float>(reader.number("distance", 1e-6, kLimit));
    camera.yaw = static_cast<float>(reader.number("yaw", -kHalfTurn, kHalfTurn));
    camera.pitch = static_cast<float>(reader.number("pitch", -kHalfTurn / 2, kHalfTurn / 2));
    camera.fieldOfView = static_cast<float>(reader.number("fieldOfView", 0.01, 3.1));
    if (reader.has("cut"))
        camera.clipDepth = static_cast<float>(reader.number("cut", -kLimit, kLimit));
    return camera;
}

void parseOpened(const Reader& reader, Session& session) {
    constexpr std::size_t kMaxOpened = 1000;
    const auto add = [&](const Reader& opened) {
        session.opened.push_back({opened.path("file"), opened.space("space")});
    };
    if (reader.has("comparison")) add(reader.object("comparison"));  // in version 0.1
    if (reader.has("opened"))
        for (const Reader opened : reader.objects("opened", kMaxOpened)) add(opened);
}

Look parseLook(const Reader& reader) {
    Look look = parseLookFields(reader.object("look"));
    if (reader.has("fileValues")) look.fileValues = reader.text("fileValues");
    if (!reader.has("panes")) return look;
    for (const nlohmann::json& pane : reader.list("panes", kMaxPanes)) {
        const auto id =
            pane.is_string() ? MeshId::fromName(pane.get<std::string>()) : std::optional<MeshId>();
        if (!id) reader.fail("panes", "names a mesh that is unknown");
        look.panes.push_back(*id);
    }
    return look;
}

FitChoice parseFit(const Reader& reader) {
    FitChoice fit{reader.boolean("on"), reader.named("views", kFitKindNames)};
    if (!reader.has("from")) return fit;
    const auto* const source =
        std::ranges::find(kFitSourceMenu, reader.text("from"), fitSourceName);
    if (source == kFitSourceMenu.end()) reader.unknown("from");
    fit.source = *source;
    return fit;
}

}  // namespace

std::string formatSession(const Session& session, const fs::path& folder) {
    Json json = {{"threefold", "session"}, {"version", kSessionVersion}};
    if (session.sample) json["sample"] = sampleJson(*session.sample, session.views, folder);
    if (!session.model.empty()) json["model"] = storedPath(session.model, folder);
    json["opened"] = Json::array();
    for (const OpenedFile& opened : session.opened)
        json["opened"].push_back(
            {{"file", storedPath(opened.file, folder)}, {"space", spaceJson(opened.space)}});
    json["look"] = lookJson(session.look);
    if (!session.look.fileValues.empty()) json["fileValues"] = session.look.fileValues;
    json["panes"] = Json::array();
    for (const MeshId id : session.look.panes) json["panes"].push_back(id.name());
    if (session.fit)
        json["fit"] = {{"on", session.fit->on},
                       {"views", nameOf(kFitKindNames, session.fit->views)},
                       {"from", fitSourceName(session.fit->source)}};
    json["linked"] = session.camerasLinked;
    json["cameras"] = Json::array();
    for (const render::OrbitCamera& camera : session.cameras)
        json["cameras"].push_back(cameraJson(camera));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Session parseSession(std::string_view text, const fs::path& file) {
    const nlohmann::json json = parseJson(asBytes(text), file, kRemedy);
    const Reader reader(JsonObject(json, "", file, kRemedy));
    if (!reader.has("threefold") || reader.text("threefold") != "session")
        reader.fail("threefold", "does not say 'session'");
    const int version = reader.integer("version", 1, 1'000'000);
    if (version > kSessionVersion)
        throw InputError({file.string(), "version",
                          fmt::format("is {}, this program reads {}", version, kSessionVersion),
                          "Open it with a newer Threefold."});
    Session session;
    if (reader.has("sample")) parseSample(reader.object("sample"), session);
    if (reader.has("model")) session.model = reader.path("model");
    parseOpened(reader, session);
    session.look = parseLook(reader);
    if (reader.has("fit")) session.fit = parseFit(reader.object("fit"));
    session.camerasLinked = reader.boolean("linked");
    constexpr std::size_t kMaxCameras = 8;
    for (const JsonObject& camera : reader.objects("cameras", kMaxCameras))
        session.cameras.push_back(parseCamera(camera));
    return session;
}

Session readSession(const fs::path& file) {
    const std::vector<std::byte> bytes = readFile(file, kMaxJsonBytes);
    return parseSession(asText(bytes), file);
}

void writeSession(const fs::path& file, const Session& session) {
    writeFileAtomically(file,
                        std::string_view(formatSession(session, absolutePath(file).parent_path())));
}

}  // namespace threefold::ui
