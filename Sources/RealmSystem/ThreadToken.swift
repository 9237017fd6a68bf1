// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Tells threads apart: equal for two calls exactly if the same living thread made both.
@frozen @usableFromInline
package enum ThreadToken {
    @inlinable package static func current() -> UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
