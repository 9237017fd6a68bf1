// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Functions and types of Swift's runtime that the language doesn't expose.

#ifndef REGNUM_CSWIFTRUNTIME_H
#define REGNUM_CSWIFTRUNTIME_H

#include <stdbool.h>
#include <stdint.h>

// Retains an object, as the read of a weak reference does. Returns null if its last reference was released.
// The memory must still be the object's.
void *_Nullable swift_tryRetain(void *_Nonnull object);

void *_Nonnull swift_nonatomic_retain(void *_Nonnull object);

// Retains an object that only the caller references, without an atomic operation. The function is hidden from the
// optimiser, which would replace it by an atomic retain.
static inline void *_Nonnull regnum_retain_alone(void *_Nonnull object) {
    void *_Nonnull (*retain)(void *_Nonnull) = swift_nonatomic_retain;
    __asm__("" : "+r"(retain));
    return retain(object);
}

// The word of an object in which the runtime counts its strong, unowned, and weak references: the second one. Equal words of
// one object mean equal counts. Acquires the writes of a thread that has released a reference.
static inline uintptr_t regnum_reference_counts(const void *_Nonnull object) {
    return __atomic_load_n((const uintptr_t *)object + 1, __ATOMIC_ACQUIRE);
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
