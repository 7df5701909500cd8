// The regions that labels are looked up among: where in the table of a measurement a label stands.
#pragma once
#include <gpusci/atomics.h>

namespace gpusci {

// A label or an entry of `index` as a word: equal words are equal values of their common type, which is real or an integer one.
template <bool real, class T> HD uint64_t region_key(T x) {
    if constexpr (real) return order_key(double(x));
    else return uint64_t(x);
}
constexpr uint64_t NO_REGION = ~uint64_t(0);        // a real key: NaN, which is in no region

// Place of a label in the table: its distance from `first` (keys == null), or where its key stands first among the keys.
// Those are found through a hash table of 2^bits cells, most of them free; a cell is 0 or count - place, and of two places
// that want one cell the smaller has it (Shun and Blelloch, "Phase-concurrent hash tables for determinism", SPAA 2014). One
// more cell says whether the keys are anything but n, n + 1, n + 2 ...: that is known on the device only.
template <bool real>
struct Slots {
    const uint64_t* keys;
    int64_t* cells;
    int64_t bits;
    int64_t count;
    int64_t first;

    HD uint64_t home(uint64_t key) const { return key * 0x9e3779b97f4a7c15ull >> (64 - bits); }     // Fibonacci hashing
    HD uint64_t next(uint64_t cell) const { return (cell + 1) & ((uint64_t(1) << bits) - 1); }
    HD int64_t& gaps() const { return cells[int64_t(1) << bits]; }
    // The same, without keys where they have no gaps.
    HD Slots settled() const {
        if (!keys || gaps()) return *this;
        return {nullptr, nullptr, 0, count, int64_t(keys[0])};
    }
    HD int64_t find_key(uint64_t key) const {
        if (real && key == NO_REGION) return -1;
        if (!keys) {
            const uint64_t slot = key - uint64_t(first);
            return slot < uint64_t(count) ? int64_t(slot) : -1;
        }
        for (uint64_t cell = home(key);; cell = next(cell)) {
            const int64_t held = cells[cell];
            if (!held) return -1;
            if (keys[count - held] == key) return count - held;
        }
    }
    template <class L> HD int64_t find(L label) const { return find_key(region_key<real>(label)); }
};

// Fills keys and cells (zeros before) from `index`.
template <class I, bool real, class Index>
struct region_slots {
    struct Args {
        const I* index;
        uint64_t* keys;
        Slots<real> slots;
    };
    HD static void at(Index i, const Args& a) {
        const auto& s = a.slots;
        uint64_t key = region_key<real>(a.index[i]);
        a.keys[i] = key;
        if (key - region_key<real>(a.index[0]) != uint64_t(i)) s.gaps() = 1;
        // Whoever is displaced goes on looking; other keys are read from `index`, being written in this launch.
        int64_t mine = s.count - i;
        for (uint64_t cell = s.home(key);; cell = s.next(cell)) {
            const int64_t held = atomic_max(s.cells + cell, mine);
            if (!held) return;
            const uint64_t other = region_key<real>(a.index[s.count - held]);
            if (other == key) return;
            if (held < mine) {
                mine = held;
                key = other;
            }
        }
    }
};

// The table's values for every entry of `index`; NaN has a slot without pixels.
template <class T, bool real, class Index>
struct region_spread {
    struct Args {
        const T* table;
        T* y;
        Slots<real> slots;
    };
    HD static void at(Index i, const Args& a) {
        const int64_t slot = a.slots.settled().find_key(a.slots.keys[i]);
        a.y[i] = a.table[slot < 0 ? i : slot];
    }
};

}  // namespace gpusci
