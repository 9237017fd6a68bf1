// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A notification of a committed transaction.
package struct PostgresNotification: Sendable, Equatable {
    package let channel: String
    package let payload: String
}

/// A connection that receives the notifications of channels (`NOTIFY`).
///
/// One thread calls `next`. Any thread can call `wake`. The descriptors never change, hence the unchecked `Sendable`.
package final class PostgresListener: @unchecked Sendable {
    private let connection: PostgresConnection
    private let alarm: (reading: Int32, writing: Int32)

    /// - Parameter channels: Names of lowercase letters, digits, and `_`.
    ///
    /// - Throws: `PostgresError`, `SystemError`.
    package init(_ settings: PostgresSettings, channels: [String]) throws {
        connection = try PostgresConnection(settings)
        for channel in channels { try connection.execute("LISTEN \(channel)") }
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw SystemError.last("pipe", path: settings.name) }
        alarm = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        _ = RealmSystem.close(alarm.reading)
        _ = RealmSystem.close(alarm.writing)
    }

    /// Executes a statement between two waits, on the thread of `next`.
    package func query(_ statement: String, _ parameters: [PostgresValue] = []) throws -> PostgresResult {
        try connection.query(statement, parameters)
    }

    /// Waits for notifications, the time limit, or `wake`. In the last two cases the result may be empty.
    ///
    /// - Throws: `PostgresError` if the connection is lost. Notifications may have been lost with it.
    package func next(milliseconds: Int) throws -> [PostgresNotification] {
        let found = try connection.notifications(milliseconds: milliseconds, alarm: alarm.reading)
        var bytes = [UInt8](repeating: 0, count: 64)
        while unsafe read(alarm.reading, &bytes, bytes.count) > 0 {}
        return found
    }

    /// Ends the current or the next call of `next`.
    package func wake() {
        // A full pipe is readable too.
        var byte: UInt8 = 1
        _ = unsafe write(alarm.writing, &byte, 1)
    }
}
