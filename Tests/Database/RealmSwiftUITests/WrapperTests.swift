// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

/// All tests of wrappers, one after the other: they count evaluations, and they share what releases versions.
@Suite(.serialized) struct WrapperTests {}
