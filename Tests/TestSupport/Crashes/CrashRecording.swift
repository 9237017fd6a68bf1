// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The events of a file, with the versions allowed after a crash at each moment.
package final class CrashRecording {
    package let base: [UInt8]
    package let file: FaultyFile
    package let configuration: CrashConfiguration
    /// Whether our own writer created the whole file, so that its audit is strict.
    package var isStrict = true
    package private(set) var states: [VersionImage] = []
    /// The allowed states, with the number of events after which they are allowed.
    private var marks: [(events: Int, allowed: [Int])] = []
    private var current: Int?

    /// Records the calls on a new file, or on one with the content `base`.
    package init(base: [UInt8] = [], _ configuration: CrashConfiguration) throws {
        self.base = base
        self.configuration = configuration
        let disk = try ImageFile()
        try disk.load(base)
        file = FaultyFile(disk, tear: configuration.isEncrypted ? configuration.disk.tear : 1)
    }

    /// Opens the database in its current state, for the first time or after a failure.
    ///
    /// A version found after a failure may be that of the failed commit. Then it need not be durable, and a crash may
    /// still leave the previous version.
    package func open() throws -> Database {
        let database = try Database(file: try configuration.wrap(file), readOnly: false)
        let state = try VersionImage(try database.snapshot())
        guard let old = current else {
            begin(with: state)
            return database
        }
        guard states[old].version != state.version else { return database }
        states.append(state)
        let new = states.count - 1
        marks.append((failed, marks[marks.count - 1].allowed + [new]))
        marks.append((file.events.count, [old, new]))
        current = new
        return database
    }

    private func begin(with state: VersionImage) {
        states = [state]
        marks = [(0, [0])]
        current = 0
    }

    private var failed = 0

    /// Runs `body`, which commits. Meanwhile both the previous and the new version are allowed.
    package func commit(to database: Database, _ body: (Database) throws -> Void) throws {
        let start = file.events.count
        do {
            try body(database)
        } catch {
            failed = start
            throw error
        }
        states.append(try VersionImage(try database.snapshot()))
        let new = states.count - 1
        marks.append((start, marks[marks.count - 1].allowed + [new]))
        marks.append((file.events.count, [new]))
        current = new
    }

    /// Returns the states that a crash after `events` events may leave.
    package func allowed(after events: Int) -> [VersionImage] {
        // Marks are unordered if a failure was understood later. Those of one moment are united.
        let latest = marks.map(\.events).filter { $0 <= events }.max() ?? 0
        let allowed = marks.filter { $0.events == latest }.flatMap(\.allowed)
        return Set(allowed).sorted().map { states[$0] }
    }
}
