// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "AllocationCount.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

static atomic_bool counting;
static _Alignas(64) atomic_uint_fast64_t allocations;

void allocation_count_start(void) {
    atomic_store(&allocations, 0);
    atomic_store(&counting, true);
}

uint64_t allocation_count_stop(void) {
    atomic_store(&counting, false);
    return atomic_load(&allocations);
}

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)

// glibc lets a program define the allocator's functions; its own stay reachable by these names.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

bool allocation_count_is_available(void) { return true; }

static inline void count(void) {
    if (atomic_load_explicit(&counting, memory_order_relaxed))
        atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count();
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    count();
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *result = memory;
    return 0;
}

#else

bool allocation_count_is_available(void) { return false; }

#endif

#if defined(__linux__)

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int instructions = -1;

bool instruction_count_open(void) {
    if (instructions >= 0) return true;
    struct perf_event_attr event;
    memset(&event, 0, sizeof event);
    event.type = PERF_TYPE_HARDWARE;
    event.size = sizeof event;
    event.config = PERF_COUNT_HW_INSTRUCTIONS;
    event.exclude_kernel = 1;
    event.exclude_hv = 1;
    event.inherit = 1;
    instructions = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
    // Some virtual machines open the counter and never count.
    return instructions >= 0 && instruction_count_read() > 0;
}

uint64_t instruction_count_read(void) {
    uint64_t value = 0;
    if (instructions < 0 || read(instructions, &value, sizeof value) != sizeof value) return 0;
    return value;
}

#else

bool instruction_count_open(void) { return false; }
uint64_t instruction_count_read(void) { return 0; }

#endif
