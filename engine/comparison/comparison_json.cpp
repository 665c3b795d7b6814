#include "engine/comparison/comparison_json.h"

#include "engine/evaluation/output_texts.h"

namespace threefold {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson columnJson(const PairedColumn& column) {
    return {{"a", statisticsJson(column.first)},
            {"b", statisticsJson(column.second)},
            {"difference", statisticsJson(column.difference)},
            {"correlation", numberJson(column.correlation)},
            {"within_1_percent", column.within}};
}

OrderedJson groupJson(const ComparedGroup& group) {
    OrderedJson json = {{"category", group.category},
                        {"name", group.name},
                        {"samples", group.samples},
                        {"measures", OrderedJson::object()}};
    for (const ComparedMeasure& each : group.measures)
        json["measures"][each.measure->key] = columnJson(each.column);
    return json;
}

OrderedJson sideJson(const ComparedRun& side) {
    const RunDescription& about = side.run.about;
    return {{"name", side.name},
            {"backend", about.backend},
            {"precision", about.identity.precision},
            {"model_hash", about.identity.modelHash},
            {"samples", side.run.records.size()}};
}

}  // namespace

OrderedJson comparisonJson(const ComparedRun& first, const ComparedRun& second,
                           const Comparison& made) {
    OrderedJson json = {{"a", sideJson(first)},
                        {"b", sideJson(second)},
                        {"remarks", made.remarks},
                        {"missing", made.missing},
                        {"protocol", protocolName(made.protocol)},
                        {"agreement", numberJson(made.agreement())}};
    json["times"] = jsonList(made.times, [](const SpeedUp& time) -> OrderedJson {
        return {{"key", time.key},
                {"title", time.title},
                {"a", statisticsJson(time.first)},
                {"b", statisticsJson(time.second)},
                {"speedup", time.ratio},
                {"low", time.low},
                {"high", time.high}};
    });
    json["all"] = groupJson(made.all);
    json["categories"] =
        jsonList(made.categories, [](const ComparedGroup& group) { return groupJson(group); });
    json["meshes"] = nullptr;
    if (made.meshes)
        json["meshes"] = {{"samples", made.meshes->samples},
                          {"vertex_by_vertex", made.meshes->vertexByVertex},
                          {"mean", made.meshes->mean},
                          {"p99_5", made.meshes->p995},
                          {"largest", made.meshes->largest}};
    json["samples"] = jsonList(made.pairs, [&](const SamplePair& each) -> OrderedJson {
        const SampleRecord& before = first.run.records[each.first];
        const SampleRecord& after = second.run.records[each.second];
        OrderedJson f = nullptr;
        if (each.f) f = {each.f->first, each.f->second};
        return {{"name", before.name},
                {"f_tau", f},
                {"distance", numberJson(each.distance)},
                {"network_ms", {before.times.network, after.times.network}}};
    });
    return json;
}

}  // namespace threefold
