// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Our own module as it is, but for the header of threads: it would bring in what Glibc declares beside Darwin's.

#include <stdint.h>

void regnum_prefetch(const void *_Nullable address);
uintptr_t regnum_thread(void);
