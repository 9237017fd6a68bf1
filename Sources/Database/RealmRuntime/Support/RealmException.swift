// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Traps after a programmer error: used for everything that the original reported as an Objective-C exception or a
/// fatal error.
///
/// The text is written to standard error, because programs and tests match on it; `name` is the original exception's
/// name. Swift can't safely continue from here, because locks and transactions would stay incomplete, so this function
/// never returns.
@usableFromInline
package func throwRealmException(_ reason: String, name: String = "RLMException") -> Never {
    ExceptionHook.current?(reason, name)
    let text = "*** Terminating app due to uncaught exception '\(name)', reason: '\(reason)'\n"
    FileHandle.standardError.write(Data(text.utf8))
    abort()
}

/// Lets a test handle a programmer error before the process ends, for instance to unwind a thread.
package enum ExceptionHook {
    private static let hook = Locked(Hook())

    private struct Hook {
        var call: (@Sendable (_ reason: String, _ name: String) -> Void)?
    }

    package static var current: (@Sendable (_ reason: String, _ name: String) -> Void)? {
        get { hook.withLock { $0.call } }
        set { hook.withLock { $0.call = newValue } }
    }
}
