// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

/// All tests of wrappers, run serially: they count evaluations, and they share the mechanism that releases versions.
@Suite(.serialized) struct WrapperTests {}
