// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What the processor does in one instruction and Swift has no name for.

#ifndef REGNUM_CPROCESSOR_H
#define REGNUM_CPROCESSOR_H

#include <pthread.h>
#include <stdint.h>

// Begins to fetch the cache line of this address, without waiting for it. Any address may be given: where there is no
// memory, nothing happens.
static inline __attribute__((always_inline)) void regnum_prefetch(const void *_Nullable address) {
    __builtin_prefetch(address);
}

// Another number for each living thread, and not 0: what `pthread_self` gives, which on Linux is a call for a register.
static inline __attribute__((always_inline)) uintptr_t regnum_thread(void) {
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
    return (uintptr_t)__builtin_thread_pointer();
#else
    return (uintptr_t)pthread_self();
#endif
}

#endif
