// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What Swift's own code asks of its runtime and has no name for in the language.

#ifndef REGNUM_CSWIFTRUNTIME_H
#define REGNUM_CSWIFTRUNTIME_H

#include <stdbool.h>
#include <stdint.h>

// Retains an object, as the read of a weak reference does: null if its last reference is gone and it is on its way out.
// The memory must still be the object's.
void *_Nullable swift_tryRetain(void *_Nonnull object);

void *_Nonnull swift_nonatomic_retain(void *_Nonnull object);

// Retains an object that nothing but the caller refers to, which needs no atomic operation. Who is called must be hidden
// from the optimiser: it knows the name, and makes an ordinary retain of it.
static inline void *_Nonnull regnum_retain_alone(void *_Nonnull object) {
    void *_Nonnull (*retain)(void *_Nonnull) = swift_nonatomic_retain;
    __asm__("" : "+r"(retain));
    return retain(object);
}

// The word of an object in which its references are counted, of every kind: it is the second one. What it says is the
// runtime's own affair; equal words of one object mean equal counts. Acquires what the thread that has let go of a
// reference did before.
static inline uintptr_t regnum_reference_counts(const void *_Nonnull object) {
    return __atomic_load_n((const uintptr_t *)object + 1, __ATOMIC_ACQUIRE);
}

// Adds to that word what a retain adds, without an atomic operation. Nothing but the caller may refer to the object.
static inline void regnum_add_reference(void *_Nonnull object, uintptr_t reference) {
    uintptr_t *counts = (uintptr_t *)object + 1;
    __atomic_store_n(counts, __atomic_load_n(counts, __ATOMIC_RELAXED) + reference, __ATOMIC_RELAXED);
}

// The runtime's description of a stored property, which `swift_reflectionMirror_recursiveChildMetadata` writes. Layout: the
// runtime's `FieldReflectionMetadata`.
typedef struct RegnumField {
    const char *_Nullable name;
    void (*_Nullable free)(const char *_Nullable name);
    bool is_strong;
    bool is_variable;
} RegnumField;

#endif
