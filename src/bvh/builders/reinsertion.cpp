#include "bvh/builders/reinsertion.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "bvh/builders/linked_tree.h"
#include "scene/load_watch.h"

namespace warpath {
namespace {

/// Nodes that one search may look at. Hardly any needs as many, but where boxes overlap all over the place, a search
/// would go through the whole tree.
constexpr uint32_t max_visits = 1u << 10;
/// A round that lowers the cost by less than this share of it is the last.
constexpr double least_progress = 1e-3;

struct Move {
    float gain = 0.0f;  ///< half area; 0: stays where it is
    uint32_t link = 0, target = 0;
};

/// Looks for the best place of a subtree in a tree that nobody changes meanwhile.
class PlaceSearch {
  public:
    explicit PlaceSearch(const LinkedTree& tree) : tree_(tree) {}

    /// Goes up from the subtree. At each node on the way, whatever hangs on its other side is looked through, as far
    /// as a gain above the best so far is possible; so is the place above the node itself.
    Move find(uint32_t link) {
        best_ = {0.0f, link, 0};
        const uint32_t taken = link / 2;
        if (taken == 0) return best_;
        box_ = tree_.box(link);
        area_ = box_.half_area();
        visits_ = 0;
        uint32_t hole = tree_.parent_link(taken);
        BuildBox remains = tree_.box(link ^ 1u);  // of what is below the hole
        float saved = tree_.box(hole).half_area();
        // What is put below the sibling again makes it as large as the node that was taken out.
        look_below(tree_.child(link ^ 1u), remains.half_area());
        while (true) {
            const uint32_t other = hole ^ 1u, node = hole / 2;
            look_at(other, saved);
            if (node == 0) return best_;
            remains.grow(tree_.box(other));
            hole = tree_.parent_link(node);
            const float shrunk = remains.half_area();
            offer(hole, saved - shrunk);
            saved += tree_.box(hole).half_area() - shrunk;
        }
    }

  private:
    void offer(uint32_t target, float gain) {
        if (gain > best_.gain) best_.gain = gain, best_.target = target;
    }

    /// `saved`: the gain so far, if the subtree is put at or below the link.
    void look_at(uint32_t link, float saved) {
        const BuildBox box = tree_.box(link);
        BuildBox grown = box;
        grown.grow(box_);
        const float grown_area = grown.half_area();
        offer(link, saved - grown_area);
        look_below(tree_.child(link), saved - (grown_area - box.half_area()));
    }

    struct Pending {
        int32_t node;
        float saved;
    };

    void look_below(int32_t root, float saved) {
        // Every node taken off the stack puts at most two on it, one of which is taken next.
        Pending pending[max_bvh_depth + 2];
        uint32_t num_pending = 0;
        const auto push = [&](int32_t node, float saved_there) {
            if (!is_leaf(node) && saved_there - area_ > best_.gain) pending[num_pending++] = {node, saved_there};
        };
        push(root, saved);
        while (num_pending > 0) {
            const Pending p = pending[--num_pending];
            // The node that is made there is at least as large as the subtree.
            if (!(p.saved - area_ > best_.gain)) continue;
            if (++visits_ > max_visits) return;
            const uint32_t first = 2 * static_cast<uint32_t>(p.node);
            float below[2];
            for (uint32_t i = 0; i < 2; ++i) {
                const BuildBox box = tree_.box(first + i);
                BuildBox grown = box;
                grown.grow(box_);
                const float grown_area = grown.half_area();
                offer(first + i, p.saved - grown_area);
                below[i] = p.saved - (grown_area - box.half_area());
            }
            const uint32_t better = below[1] > below[0];
            push(tree_.child(first + 1 - better), below[1 - better]);
            push(tree_.child(first + better), below[better]);
        }
    }

    const LinkedTree& tree_;
    BuildBox box_;
    float area_ = 0.0f;
    uint32_t visits_ = 0;
    Move best_;
};

/// The links with the largest boxes: at least as many as asked for, unless there are fewer. They are what costs most.
class LargestLinks {
  public:
    LargestLinks(const LinkedTree& tree, uint32_t wanted) : tree_(tree) {
        if (wanted >= 2 * tree.num_nodes()) return;
        const std::vector<uint32_t> histogram = count_by_area();
        uint64_t found = 0;
        for (least_ = num_classes; least_ > 0 && found < wanted;) found += histogram[--least_];
    }

    bool contains(uint32_t link) const { return least_ == 0 || area_class(link) >= least_; }

  private:
    static constexpr uint32_t class_shift = 18, num_classes = 1u << (31 - class_shift);

    /// Sign, exponent and the first bits of the mantissa order numbers that are not negative.
    uint32_t area_class(uint32_t link) const {
        return std::bit_cast<uint32_t>(tree_.box(link).half_area()) << 1 >> (1 + class_shift);
    }

    std::vector<uint32_t> count_by_area() const {
        using Histogram = std::vector<uint32_t>;
        tbb::enumerable_thread_specific<Histogram> parts(Histogram(num_classes, 0u));
        tbb::parallel_for(tbb::blocked_range<uint32_t>(0, tree_.num_nodes(), 4096), [&](const auto& r) {
            Histogram& part = parts.local();
            for (uint32_t k = r.begin(); k < r.end(); ++k) {
                for (uint32_t i = 0; i < 2; ++i) ++part[area_class(2 * tree_.node_index(k) + i)];
            }
        });
        Histogram sum(num_classes, 0u);
        for (const Histogram& part : parts) {
            for (uint32_t c = 0; c < num_classes; ++c) sum[c] += part[c];
        }
        return sum;
    }

    const LinkedTree& tree_;
    uint32_t least_ = 0;  ///< class; all links where 0
};

/// All moves that promise a gain, the most promising first.
std::vector<Move> find_moves(const LinkedTree& tree, const LargestLinks& largest, const std::atomic<bool>* stop) {
    tbb::enumerable_thread_specific<std::vector<Move>> parts;
    tbb::parallel_for(tbb::blocked_range<uint32_t>(0, tree.num_nodes(), 256), [&](const auto& r) {
        LoadWatch::throw_if_set(stop);
        PlaceSearch search(tree);
        std::vector<Move>& part = parts.local();
        for (uint32_t k = r.begin(); k < r.end(); ++k) {
            for (uint32_t i = 0; i < 2; ++i) {
                const uint32_t link = 2 * tree.node_index(k) + i;
                if (!largest.contains(link)) continue;
                const Move move = search.find(link);
                if (move.gain > 0.0f) part.push_back(move);
            }
        }
    });
    std::vector<Move> moves;
    for (const std::vector<Move>& part : parts) moves.insert(moves.end(), part.begin(), part.end());
    // No two are equal, so the order is one and the same, whoever found what.
    tbb::parallel_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
        return a.gain > b.gain || (a.gain == b.gain && a.link < b.link);
    });
    return moves;
}

}  // namespace

void reinsert(SparseTree& tree, const BvhOptions& options) {
    LinkedTree linked(tree);
    double cost = linked.cost();
    for (uint32_t round = 0; round < options.reinsertion_rounds; ++round) {
        const LargestLinks largest(linked, options.reinsertion_links);
        double gain = 0.0;
        for (const Move& move : find_moves(linked, largest, options.stop)) gain += linked.move(move.link, move.target);
        cost -= gain;
        if (!(gain > least_progress * cost)) break;
    }
}

}  // namespace warpath
