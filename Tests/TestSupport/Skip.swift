// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// Reports that something is missing on this machine, by a line `skipped: REASON`. All tests report it this way.
///
/// `Scripts/skips` reads these lines in the log of a run. `SkipTests` counts the files with such tests.
public enum Skip {
    private static let lock = Lock()
    // Guarded by `lock`.
    nonisolated(unsafe) private static var reasons: Set<String> = []

    /// Prints the line once for each reason.
    public static func report(_ reason: String) {
        if lock.locked({ reasons.insert(reason).inserted }) { print("skipped: \(reason)") }
    }
}
