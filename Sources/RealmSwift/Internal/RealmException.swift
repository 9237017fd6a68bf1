// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Ends the process after a programmer error, with the text that programs and tests match on.
func throwRealmException(_ reason: String, name: String = "RLMException") -> Never {
    let text = "*** Terminating app due to uncaught exception '\(name)', reason: '\(reason)'\n"
    FileHandle.standardError.write(Data(text.utf8))
    abort()
}
