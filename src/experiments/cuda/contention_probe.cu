#include "experiments/contention_probe.h"

#include <algorithm>

#include <cuda/atomic>

#include "experiments/cuda/cuda_handles.cuh"

namespace warpath::experiments {
namespace {

using Word = unsigned long long;
constexpr unsigned block_threads = 64;
constexpr Word wait_limit_ns = 1'000'000'000;

/// Items begin .. end-1, those of a block, in one word that is exchanged as a whole.
__device__ Word pack(Word begin, Word end) { return begin << 32 | end; }
__device__ Word begin_of(Word range) { return range >> 32; }
__device__ Word end_of(Word range) { return range & 0xffffffffu; }

/// What the blocks share. All counters start as the host sets them.
struct Table {
    Word* next;          ///< OneCounter: [1]; PerSm: [num_shares]
    Word* gifts;         ///< Donation: [num_blocks], a range for a block that asked; 0: none yet
    Word* asking;        ///< Donation: a block that has run out, plus 1; 0: nobody asks
    Word* num_with_work; ///< Donation: blocks that have items left
    Word* totals;        ///< [num_blocks][num_totals]: grabs, ticks, items, sum, groups that gave up
    Word num_items, batch;
    unsigned num_shares;
};
enum Total { total_grabs, total_ticks, total_items, total_sum, total_given_up, num_totals };

struct Range {
    Word begin, end;
    __device__ bool empty() const { return begin >= end; }
};

/// The one lane that asks for its group.
class Asker {
  public:
    __device__ Asker(const Table& table, GrabSource source) : table_(table), source_(source) {
        if (source == GrabSource::Donation) {
            const Word blocks = gridDim.x, block = blockIdx.x;
            own_ = {table.num_items * block / blocks, table.num_items * (block + 1) / blocks};
        } else if (source == GrabSource::PerSm) {
            unsigned sm;
            asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
            share_ = sm % table.num_shares;
        }
    }
    __device__ Range grab() {
        if (source_ == GrabSource::OneCounter) return clipped(atomicAdd(table_.next, table_.batch), table_.num_items);
        return source_ == GrabSource::PerSm ? grab_from_shares() : grab_own();
    }
    __device__ bool gave_up() const { return gave_up_; }

  private:
    __device__ Range clipped(Word begin, Word end) const { return {begin, begin + table_.batch < end ? begin + table_.batch : end}; }
    /// A share that is used up is not looked at again.
    __device__ Range grab_from_shares() {
        for (; num_used_up_ < table_.num_shares; ++num_used_up_, share_ = share_ + 1 < table_.num_shares ? share_ + 1 : 0) {
            const Word end = table_.num_items * (share_ + 1) / table_.num_shares;
            const Range range = clipped(atomicAdd(table_.next + share_, table_.batch), end);
            if (!range.empty()) return range;
        }
        return {0, 0};
    }
    /// Only the block itself touches its range; what is given away is taken off before it is given.
    __device__ Range grab_own() {
        if (own_.empty() && !beg()) return {0, 0};
        if (own_.end - own_.begin >= 2 * table_.batch) donate();
        const Range range = clipped(own_.begin, own_.end);
        own_.begin = range.end;
        return range;
    }
    __device__ void donate() {
        const Word asker = reference(table_.asking).load(cuda::memory_order_relaxed);
        if (asker == 0 || atomicCAS(table_.asking, asker, Word{0}) != asker) return;
        const Word middle = own_.begin + (own_.end - own_.begin) / 2;
        atomicAdd(table_.num_with_work, Word{1});  // before its word is written, so that nobody takes the work to be over
        reference(table_.gifts + asker - 1).store(pack(middle, own_.end), cuda::memory_order_release);
        own_.end = middle;
    }
    /// Asks until somebody gives or no block has anything left. A question that was heard is answered.
    __device__ bool beg() {
        if (has_work_) atomicAdd(table_.num_with_work, ~Word{0});
        has_work_ = false;
        const Word self = blockIdx.x + 1, since = device_ns();
        Word* gift = table_.gifts + blockIdx.x;
        for (bool asked = false;;) {
            if (!asked) asked = atomicCAS(table_.asking, Word{0}, self) == 0;
            if (const Word range = reference(gift).load(cuda::memory_order_acquire)) {
                reference(gift).store(0, cuda::memory_order_relaxed);
                own_ = {begin_of(range), end_of(range)};
                return has_work_ = true;
            }
            const bool heard = asked && reference(table_.asking).load(cuda::memory_order_relaxed) != self;
            if (!heard && reference(table_.num_with_work).load(cuda::memory_order_acquire) == 0) {
                if (!asked || atomicCAS(table_.asking, self, Word{0}) == self) return false;
                continue;  // somebody heard it just now
            }
            if (device_ns() - since > wait_limit_ns) {
                gave_up_ = true;
                return false;
            }
            __nanosleep(50);
        }
    }
    __device__ static cuda::atomic_ref<Word, cuda::thread_scope_device> reference(Word* p) { return cuda::atomic_ref<Word, cuda::thread_scope_device>(*p); }

    const Table& table_;
    GrabSource source_;
    Range own_{0, 0};
    unsigned share_ = 0, num_used_up_ = 0;
    bool has_work_ = true, gave_up_ = false;
};

/// A range for all lanes of the group that `level` says.
template <GrabLevel level>
__device__ Range grab_for_group(Asker& asker, Range* of_block) {
    if constexpr (level == GrabLevel::Lane) return asker.grab();
    Range range{0, 0};
    if constexpr (level == GrabLevel::Warp) {
        if (threadIdx.x % 32 == 0) range = asker.grab();
        return {__shfl_sync(~0u, range.begin, 0), __shfl_sync(~0u, range.end, 0)};
    }
    __syncthreads();
    if (threadIdx.x == 0) *of_block = asker.grab();
    __syncthreads();
    return *of_block;
}

template <GrabLevel level>
__global__ void __launch_bounds__(block_threads, 32) hand_out_kernel(const __grid_constant__ Table table, GrabSource source) {
    __shared__ Range of_block;
    __shared__ Word totals[num_totals];
    if (threadIdx.x < num_totals) totals[threadIdx.x] = 0;
    Asker asker(table, source);
    const bool asks = level == GrabLevel::Lane || threadIdx.x % (level == GrabLevel::Warp ? 32 : block_threads) == 0;
    Word sums[num_totals] = {};
    while (true) {
        const long long start = clock64();
        const Range range = grab_for_group<level>(asker, &of_block);
        sums[total_ticks] += clock64() - start;
        if (range.empty()) break;
        const Word n = range.end - range.begin;
        sums[total_grabs] += 1, sums[total_items] += n, sums[total_sum] += (range.begin + range.end - 1) * n / 2;
    }
    __syncthreads();
    sums[total_given_up] = asker.gave_up();
    for (int i = 0; i < num_totals && asks; ++i) atomicAdd(totals + i, sums[i]);
    __syncthreads();
    if (threadIdx.x < num_totals) table.totals[blockIdx.x * num_totals + threadIdx.x] = totals[threadIdx.x];
}

class CudaContentionProbe final : public ContentionProbe {
  public:
    explicit CudaContentionProbe(int device) : num_sms_((use_device(device), static_cast<unsigned>(num_multiprocessors(device)))), words_(words_for(num_sms_)) {}

    GrabResult hand_out(const GrabPolicy& policy, uint32_t batch, uint32_t workers, uint64_t num_items) override {
        if (num_items >> 32) throw Error(ErrorCode::BadOption, "at most 2^32 - 1 items are handed out at once");
        const auto kernel = kernel_of(policy.source == GrabSource::Donation ? GrabLevel::Block : policy.level);  // who begs and gives is a block
        const unsigned num_blocks = num_sms_ * std::min(workers, blocks_that_fit(kernel));
        const Table table = make_table(batch, num_items, num_blocks);
        begin_.record(stream_);
        kernel<<<num_blocks, block_threads, 0, stream_>>>(table, policy.source);
        cuda_check(cudaGetLastError(), "launching a kernel");
        end_.record(stream_);
        end_.synchronize();
        const std::vector<Word> words = words_.download();
        Word totals[num_totals] = {};
        for (size_t i = 0; i < static_cast<size_t>(num_blocks) * num_totals; ++i) totals[i % num_totals] += words[table.totals - words_.data() + i];
        GrabResult result;
        result.time_us = 1e3 * ms_between(begin_, end_);
        result.num_grabs = totals[total_grabs];
        result.ticks_per_grab = static_cast<double>(totals[total_ticks]) / static_cast<double>(std::max<Word>(1, totals[total_grabs]));
        result.num_items = totals[total_items], result.sum = totals[total_sum];
        result.in_time = totals[total_given_up] == 0;
        return result;
    }

  private:
    using Kernel = void (*)(Table, GrabSource);
    static constexpr unsigned most_per_sm = 32;
    static Kernel kernel_of(GrabLevel level) {
        return level == GrabLevel::Lane ? hand_out_kernel<GrabLevel::Lane> : level == GrabLevel::Warp ? hand_out_kernel<GrabLevel::Warp> : hand_out_kernel<GrabLevel::Block>;
    }
    /// All blocks must be resident: one that begs waits for others, also for those that have not begun.
    static unsigned blocks_that_fit(Kernel kernel) {
        int blocks = 0;
        cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_threads, 0), "asking for the occupancy of a kernel");
        return std::min(most_per_sm, static_cast<unsigned>(std::max(blocks, 1)));
    }
    static size_t words_for(unsigned num_sms) { return num_sms + num_sms * most_per_sm * (1 + num_totals) + 2; }

    /// Counters of the shares, gifts, the two words of Donation, totals.
    Table make_table(uint32_t batch, uint64_t num_items, unsigned num_blocks) {
        std::vector<Word> words(words_.size());
        Table table{};
        table.num_items = num_items, table.batch = batch, table.num_shares = num_sms_;
        table.next = words_.data(), table.gifts = table.next + num_sms_;
        table.asking = table.gifts + num_sms_ * most_per_sm, table.num_with_work = table.asking + 1, table.totals = table.num_with_work + 1;
        for (unsigned share = 0; share < num_sms_; ++share) words[share] = share == 0 ? 0 : num_items * share / num_sms_;
        words[table.num_with_work - words_.data()] = num_blocks;
        words_.upload(words);
        return table;
    }

    unsigned num_sms_;
    DeviceArray<Word> words_;
    Stream stream_;
    Event begin_, end_;
};

}  // namespace

std::unique_ptr<ContentionProbe> make_contention_probe(int device) { return std::make_unique<CudaContentionProbe>(device); }

}  // namespace warpath::experiments
