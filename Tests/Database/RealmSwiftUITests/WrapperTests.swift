// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

/// All tests of wrappers. Serialized, because they count evaluations and share the mechanism that releases versions.
@Suite(.serialized) struct WrapperTests {}
