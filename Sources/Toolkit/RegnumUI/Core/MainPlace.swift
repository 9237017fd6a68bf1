// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation

/// Detects whether code runs on the main actor: on the main queue, which another thread drains once the main thread
/// waits in `dispatchMain()`, or before that on the main thread.
enum MainPlace {
    private static let key = DispatchSpecificKey<Bool>()
    private static let mark: Void = DispatchQueue.main.setSpecific(key: key, value: true)

    /// Whether this code runs on the main queue or thread.
    static var isHere: Bool {
        _ = mark
        return DispatchQueue.getSpecific(key: key) == true || Thread.isMainThread
    }
}
