// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this program counts what it allocates: with glibc, and without a sanitizer, which has an allocator of its own.
bool allocation_count_is_available(void);

/// From here on allocations of all threads are counted, from zero. While nothing counts, a call of the allocator costs
/// one load more.
void allocation_count_start(void);

/// The allocations since the start, a reallocation counted as one.
uint64_t allocation_count_stop(void);

/// Opens the processor's counter of instructions in user mode for this thread and all that are started later; false
/// where the kernel or the machine has none.
bool instruction_count_open(void);

/// The instructions so far.
uint64_t instruction_count_read(void);

#endif
