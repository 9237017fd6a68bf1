// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The events of a file, with the versions that a crash at each moment may leave.
package final class CrashRecording {
    /// The content of the file before the first event.
    package let base: [UInt8]
    package let file: FaultyFile
    package let configuration: CrashConfiguration
    /// Whether our own writer made all of the file, so that its audit is strict.
    package var isStrict = true
    package private(set) var states: [VersionImage] = []
    /// From how many events on which states are allowed.
    private var marks: [(events: Int, allowed: [Int])] = []
    private var current: Int?

    /// A recording of the calls on a new file, or on one that holds `base`.
    package init(base: [UInt8] = [], _ configuration: CrashConfiguration) throws {
        self.base = base
        self.configuration = configuration
        let disk = try ImageFile()
        try disk.load(base)
        file = FaultyFile(disk, tear: configuration.isEncrypted ? configuration.disk.tear : 1)
    }

    /// Opens the database in its current state, for the first time or after a failure.
    ///
    /// A version found after a failure may be that of the failed commit. Then it need not be durable: a crash may still
    /// leave the version before it.
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

    /// The number of events before the failed commit.
    private var failed = 0

    /// Runs `body`, which commits; meanwhile the version before and the new one are both allowed.
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

    /// The states that a crash after `events` events may leave.
    package func allowed(after events: Int) -> [VersionImage] {
        // Marks are not in order if a failure was understood later; those of one moment add up.
        let latest = marks.map(\.events).filter { $0 <= events }.max() ?? 0
        let allowed = marks.filter { $0.events == latest }.flatMap(\.allowed)
        return Set(allowed).sorted().map { states[$0] }
    }
}
