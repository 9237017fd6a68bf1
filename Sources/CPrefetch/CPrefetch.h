// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// One instruction of the processor that has no name in Swift.

#ifndef REGNUM_CPREFETCH_H
#define REGNUM_CPREFETCH_H

// Begins to fetch the cache line of this address, without waiting for it. Any address may be given: where there is no
// memory, nothing happens.
static inline __attribute__((always_inline)) void regnum_prefetch(const void *_Nullable address) {
    __builtin_prefetch(address);
}

#endif
