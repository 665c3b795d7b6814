#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <lemon/network_simplex.h>

#include "engine/error.h"
#include "engine/measures/earth_movers.h"
#include "engine/mesh.h"

namespace threefold {
namespace {

/// Id of a node (a point of either cloud) or arc (a pair of points) of LEMON's graph; negative:
/// none. The tag makes the ids of nodes and arcs distinct types.
template <class Tag>
struct GraphId {
    int number = -1;
    GraphId() = default;
    explicit GraphId(int value) : number(value) {}
    // NOLINTNEXTLINE(google-explicit-constructor): LEMON compares with it.
    GraphId(lemon::Invalid /*none*/) {}
    friend bool operator==(const GraphId&, const GraphId&) = default;
};

/// LEMON iterator over first, first + step, … below `end`.
template <class Item>
class StridedIterator : public Item {
  public:
    StridedIterator(int first, int end, int step)
        : Item(first < end ? first : -1), end_(end), step_(step) {}
    StridedIterator& operator++() {
        this->number = this->number < end_ - step_ ? this->number + step_ : -1;
        return *this;
    }

  private:
    int end_;
    int step_;
};

template <class Item, class T>
class NumberedValues {
  public:
    using Key = Item;
    using Value = T;
    explicit NumberedValues(int count) : values_(static_cast<std::size_t>(count)) {}
    auto operator[](Item item) const { return values_[static_cast<std::size_t>(item.number)]; }
    decltype(auto) operator[](Item item) { return values_[static_cast<std::size_t>(item.number)]; }

  private:
    std::vector<T> values_;
};

/// Complete bipartite graph from n sources to m sinks; arc i · m + j leads from i to j. Implements
/// LEMON's graph interface without storage: LEMON's graphs take more memory than its simplex.
class BipartiteGraph {
  public:
    BipartiteGraph(std::size_t sources, std::size_t sinks)
        : sources_(static_cast<int>(sources)), sinks_(static_cast<int>(sinks)) {}

    using Node = GraphId<struct NodeTag>;
    using Arc = GraphId<struct ArcTag>;
    struct NodeIt : StridedIterator<Node> {
        explicit NodeIt(const BipartiteGraph& graph)
            : StridedIterator(0, graph.sources_ + graph.sinks_, 1) {}
    };
    struct ArcIt : StridedIterator<Arc> {
        explicit ArcIt(const BipartiteGraph& graph) : StridedIterator(0, graph.count(), 1) {}
    };
    struct OutArcIt : StridedIterator<Arc> {
        OutArcIt(const BipartiteGraph& graph, Node from)
            : StridedIterator(from.number * graph.sinks_,
                              from.number < graph.sources_ ? (from.number + 1) * graph.sinks_ : 0,
                              1) {}
    };
    struct InArcIt : StridedIterator<Arc> {
        InArcIt(const BipartiteGraph& graph, Node to)
            : StridedIterator(to.number - graph.sources_,
                              to.number < graph.sources_ ? 0 : graph.count(), graph.sinks_) {}
    };
    template <class T>
    struct NodeMap : NumberedValues<Node, T> {
        explicit NodeMap(const BipartiteGraph& graph)
            : NumberedValues<Node, T>(graph.sources_ + graph.sinks_) {}
        NodeMap(const BipartiteGraph& graph, const T& /*zero*/) : NodeMap(graph) {}
    };
    template <class T>
    struct ArcMap : NumberedValues<Arc, T> {
        explicit ArcMap(const BipartiteGraph& graph) : NumberedValues<Arc, T>(graph.count()) {}
    };

    Node source(Arc arc) const { return Node(arc.number / sinks_); }
    Node target(Arc arc) const { return Node(sources_ + arc.number % sinks_); }

  private:
    int count() const { return sources_ * sinks_; }

    int sources_;
    int sinks_;
};

// Masses are integers: m for each of the n points, n for each of the m points. The total is n · m.
static_assert(kMaxExactPoints * kMaxExactPoints <= std::numeric_limits<std::int32_t>::max());
using Simplex = lemon::NetworkSimplex<BipartiteGraph, std::int32_t, std::int64_t>;

class ExactTransport {
  public:
    explicit ExactTransport(const CloudPair& clouds) : clouds_(clouds), graph_(n(), m()) {
        Box3f box = boundsOf(clouds.first);
        box.include(clouds.second);
        unit_ = glm::length(glm::dvec3(box.max) - glm::dvec3(box.min)) / kUnits;
    }

    EarthMoversDistance solve(const std::stop_token& cancel) const {
        if (unit_ == 0) return {.isExact = true};
        // `true` mixes the arcs: the search is slow for ordered points, such as a mesh's vertices.
        Simplex simplex(graph_, true);
        simplex.costMap(Costs{*this}).supplyMap(Supplies{*this});
        if (cancel.stop_requested()) throw Cancelled();
        simplex.run();
        if (cancel.stop_requested()) throw Cancelled();
        return {costOf(simplex), lowerBoundOf(simplex), true};
    }

  private:
    /// Costs are integers, in units of the clouds' diagonal / kUnits: with floating-point costs,
    /// rounding may make the simplex cycle.
    static constexpr double kUnits = 0x1p40;

    std::size_t n() const { return clouds_.first.size(); }
    std::size_t m() const { return clouds_.second.size(); }
    double cost(std::size_t i, std::size_t j) const {
        return glm::length(glm::dvec3(clouds_.first[i]) - glm::dvec3(clouds_.second[j]));
    }
    double cost(BipartiteGraph::Arc arc) const {
        const auto number = static_cast<std::size_t>(arc.number);
        return cost(number / m(), number % m());
    }

    struct Costs {
        using Key = BipartiteGraph::Arc;
        using Value = std::int64_t;
        const ExactTransport& problem;
        Value operator[](Key arc) const { return std::llround(problem.cost(arc) / problem.unit_); }
    };
    struct Supplies {
        using Key = BipartiteGraph::Node;
        using Value = std::int32_t;
        const ExactTransport& problem;
        Value operator[](Key node) const {
            const bool isSource = static_cast<std::size_t>(node.number) < problem.n();
            return isSource ? static_cast<Value>(problem.m()) : -static_cast<Value>(problem.n());
        }
    };

    double costOf(const Simplex& simplex) const {
        double sum = 0;
        for (BipartiteGraph::ArcIt arc(graph_); arc != lemon::INVALID; ++arc) {
            const std::int32_t mass = simplex.flow(arc);
            if (mass != 0) sum += mass * cost(arc);
        }
        return sum / (static_cast<double>(n()) * static_cast<double>(m()));
    }

    /// Lower bound from the simplex's potentials: step 3 of METHOD.md §9, in double precision.
    double lowerBoundOf(const Simplex& simplex) const {
        const auto potentialOf = [&](std::size_t j) {
            return simplex.potential(BipartiteGraph::Node(static_cast<int>(n() + j)));
        };
        std::vector<double> v(m());
        for (std::size_t j = 0; j < m(); ++j) {
            // Potentials may be far from zero, but differences of integers are exact.
            v[j] = static_cast<double>(potentialOf(j) - potentialOf(0)) * unit_;
        }
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        std::vector<double> x(n(), kInfinity);
        std::vector<double> y(m(), kInfinity);
        for (std::size_t i = 0; i < n(); ++i) {
            for (std::size_t j = 0; j < m(); ++j) x[i] = std::min(x[i], cost(i, j) - v[j]);
            for (std::size_t j = 0; j < m(); ++j) y[j] = std::min(y[j], cost(i, j) - x[i]);
        }
        const auto mean = [](const std::vector<double>& values) {
            return std::accumulate(values.begin(), values.end(), 0.0) /
                   static_cast<double>(values.size());
        };
        return std::max(0.0, mean(x) + mean(y));
    }

    const CloudPair& clouds_;
    BipartiteGraph graph_;
    double unit_ = 0;
};

}  // namespace

bool canSolveExactly(const CloudPair& clouds) {
    const auto fits = [](std::span<const glm::vec3> points) {
        return !points.empty() && points.size() <= kMaxExactPoints;
    };
    return fits(clouds.first) && fits(clouds.second);
}

EarthMoversDistance exactEarthMoversDistance(const CloudPair& clouds,
                                             const std::stop_token& cancel) {
    requireTransportable(clouds);
    if (!canSolveExactly(clouds))
        throw InputError({"exact matching", "",
                          fmt::format("{} and {} points are more than {} a side",
                                      clouds.first.size(), clouds.second.size(), kMaxExactPoints),
                          "Use sinkhornDistance()."});
    return ExactTransport(clouds).solve(cancel);
}

}  // namespace threefold
