// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation

    package struct AccountClock: Sendable {
        /// Milliseconds since 1970.
        package let milliseconds: @Sendable () -> Int64

        package init(_ milliseconds: @escaping @Sendable () -> Int64) { self.milliseconds = milliseconds }

        package static let system = AccountClock { Int64(Date().timeIntervalSince1970 * 1000) }

        /// Seconds since 1970.
        var seconds: Int64 { milliseconds() / 1000 }
    }
#endif
