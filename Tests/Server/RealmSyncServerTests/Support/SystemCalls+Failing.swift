// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOConcurrencyHelpers
    import RealmSystem

    extension SystemCalls {
        /// Returns calls of which all writes and syncs after the first `number` fail.
        static func failing(after number: Int) -> SystemCalls {
            let count = NIOLockedValueBox(0)
            @Sendable func isDue() -> Bool {
                count.withLockedValue {
                    $0 += 1
                    return $0 > number
                }
            }
            @Sendable func failed() -> Int {
                errno = EIO
                return -1
            }
            var calls = SystemCalls()
            let (pwrite, sync) = (calls.pwrite, calls.sync)
            calls.pwrite = { isDue() ? failed() : pwrite($0, $1, $2, $3) }
            calls.sync = { isDue() ? failed() : sync($0) }
            return calls
        }
    }
#endif
