// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation

/// Detects whether code runs on the main actor. That is the main queue, which another thread drains once the main
/// thread waits in `dispatchMain()`, and the main thread before.
enum MainPlace {
    private static let key = DispatchSpecificKey<Bool>()
    private static let mark: Void = DispatchQueue.main.setSpecific(key: key, value: true)

    static var isHere: Bool {
        _ = mark
        return DispatchQueue.getSpecific(key: key) == true || Thread.isMainThread
    }
}
