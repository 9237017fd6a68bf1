// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

public import CProcessor

/// Identifies threads: tokens are equal exactly if the same living thread requested both.
@frozen @usableFromInline
package enum ThreadToken {
    @inlinable @inline(__always) package static func current() -> UInt { regnum_thread() }
}
