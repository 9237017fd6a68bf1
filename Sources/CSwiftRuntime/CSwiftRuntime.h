// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// What Swift's own code asks of its runtime and has no name for in the language.

#ifndef REGNUM_CSWIFTRUNTIME_H
#define REGNUM_CSWIFTRUNTIME_H

// Retains an object, as the read of a weak reference does: null if its last reference is gone and it is on its way out.
// The memory must still be the object's.
void *_Nullable swift_tryRetain(void *_Nonnull object);

#endif
