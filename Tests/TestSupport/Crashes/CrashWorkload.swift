// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Operations on a database whose calls are recorded.
package struct CrashWorkload: Sendable {
    package let name: String
    /// Whether it is small enough to try every image.
    package var isSmall = false
    /// The share of this workload in a thousand random images. 0 if it is only for the exhaustive run.
    package var share: Int
    package let record: @Sendable (inout SeededGenerator, CrashConfiguration) throws -> CrashRecording

    package init(
        name: String, isSmall: Bool = false, share: Int = 0,
        record: @escaping @Sendable (inout SeededGenerator, CrashConfiguration) throws -> CrashRecording
    ) {
        (self.name, self.isSmall, self.share, self.record) = (name, isSmall, share, record)
    }

    package static let all = [tiny, small, steady, grouped, busy, large, schema, failures, shrinking]

    package static func named(_ name: String) -> CrashWorkload? { all.first { $0.name == name } }

    package static let tiny = CrashWorkload(name: "tiny", isSmall: true, share: 30) { _, configuration in
        let recording = try CrashRecording(configuration)
        let database = try recording.open()
        try recording.commit(to: database) { database in
            try database.write { transaction in
                let table = try transaction.schema.addTable("class_A")
                try transaction.schema.addColumn("a", .int, to: table)
                _ = try transaction.createObject(in: table)
            }
        }
        for number in 1..<5 {
            try recording.commit(to: database) { database in
                try database.write { transaction in
                    guard let table = try transaction.table(named: "class_A"), let column = table.columns.first else {
                        throw Failure("no table")
                    }
                    try transaction.set(.int(Int64(number) << 20), column.key, of: ObjectKey(0), in: table.key)
                }
            }
        }
        return recording
    }

    /// A few commits to a few objects, without other processes.
    package static let small = CrashWorkload(name: "small", isSmall: true, share: 70) { generator, configuration in
        try items(&generator, configuration, commits: 5, size: 2, holds: false)
    }

    /// Many commits, with old versions pinned at times.
    package static let steady = CrashWorkload(name: "steady", share: 220) { generator, configuration in
        try items(&generator, configuration, commits: 30, size: 15, holds: true)
    }

    /// Several versions that one flip makes durable. A crash leaves all or none of them.
    package static let grouped = CrashWorkload(name: "grouped", share: 80) { generator, configuration in
        let recording = try CrashRecording(configuration)
        let database = try recording.open()
        var (workload, dice) = (Workload(SeededGenerator(seed: generator.next()), size: 15), generator)
        try go(on: recording, database, &generator, commits: 20, holds: true) { database in
            let first = try database.beginWrite()
            try workload.change(first)
            var commit = try first.prepareCommit()
            for _ in 0..<dice.below(4) {
                let own = try commit.snapshot(label: "group")
                let next = try commit.beginChild()
                let before = workload
                try workload.change(next)
                if dice.chance(20) {
                    next.rollback()
                    workload = before
                } else {
                    commit = try next.prepareCommit()
                }
                withExtendedLifetime(own) {}
            }
            try commit.finish()
        }
        return recording
    }

    /// Space is reused as soon as possible, and the file has more content.
    package static let busy = CrashWorkload(name: "busy", share: 200) { generator, configuration in
        try items(&generator, configuration, commits: 40, size: 40, holds: false)
    }

    /// Many objects, so that trees have levels.
    package static let large = CrashWorkload(name: "large", share: 50) { generator, configuration in
        let recording = try CrashRecording(configuration)
        let database = try recording.open()
        var workload = Workload(generator, size: 500)
        try recording.commit(to: database) { _ = try workload.commit(to: $0) }
        try recording.commit(to: database) { database in
            try database.write { transaction in for _ in 0..<150 { try workload.change(transaction) } }
        }
        try go(on: recording, database, &generator, commits: 10, holds: true) { _ = try workload.commit(to: $0) }
        generator = workload.generator
        return recording
    }

    package static let schema = CrashWorkload(name: "schema", share: 200) { generator, configuration in
        let recording = try CrashRecording(configuration)
        let database = try recording.open()
        var operations = RandomOperations(SeededGenerator(seed: generator.next()), size: 15)
        try recording.commit(to: database) { database in try database.write { try operations.createSchema($0) } }
        let counts = [1, 5, 20, 80]
        try go(on: recording, database, &generator, commits: 20, holds: true) { database in
            try database.write { transaction in
                for _ in 0..<operations.generator.pick(counts) { try operations.step(transaction) {} }
            }
        }
        return recording
    }

    /// Failing calls, each followed by a new opening of the file as the system shows it.
    package static let failures = CrashWorkload(name: "failures", share: 150) { generator, configuration in
        let recording = try CrashRecording(configuration)
        var database = try recording.open()
        for _ in 0..<12 {
            var workload = Workload(SeededGenerator(seed: generator.next()), size: 12)
            if generator.chance(60) { recording.file.fail(after: generator.below(20)) }
            do {
                try recording.commit(to: database) { _ = try workload.commit(to: $0) }
                recording.file.recover()
            } catch {
                try require(recording.file.failedCall != nil, "a commit failed by itself: \(error)")
                recording.file.recover()
                database = try recording.open()
            }
        }
        return recording
    }

    /// Much is deleted, so the file shrinks while it is in use.
    package static let shrinking = CrashWorkload(name: "shrinking", share: 6) { generator, configuration in
        let recording = try CrashRecording(configuration)
        let database = try recording.open()
        var workload = Workload(SeededGenerator(seed: generator.next()), size: 10)
        try recording.commit(to: database) { _ = try workload.commit(to: $0) }
        try recording.commit(to: database) { database in
            try database.write { transaction in
                let table = try transaction.schema.addTable("class_Big")
                let column = try transaction.schema.addColumn("data", .binary, to: table)
                for number in 0..<20 {
                    let object = try transaction.createObject(in: table)
                    let bytes = [UInt8](repeating: UInt8(number), count: 150_000)
                    try transaction.set(.binary(bytes), column, of: object, in: table)
                }
            }
        }
        let small = 2 << 20
        try require(try database.spaceUse().fileByteCount > small, "the file has not become large")
        try recording.commit(to: database) { database in
            try database.write { transaction in
                guard let table = try transaction.table(named: "class_Big") else { throw Failure("no table") }
                try transaction.schema.removeTable(table.key)
            }
        }
        try go(on: recording, database, &generator, commits: 200, holds: true) { _ = try workload.commit(to: $0) }
        // No old version is pinned any more, so the file can shrink.
        var commits = 0
        while try database.spaceUse().fileByteCount > small {
            try require(commits < 300, "the file does not become shorter")
            try recording.commit(to: database) { _ = try workload.commit(to: $0) }
            commits += 1
        }
        return recording
    }

    // MARK: Helpers

    private static func items(
        _ generator: inout SeededGenerator, _ configuration: CrashConfiguration, commits: Int, size: Int, holds: Bool
    ) throws -> CrashRecording {
        let recording = try CrashRecording(configuration)
        let database = try recording.open()
        var workload = Workload(SeededGenerator(seed: generator.next()), size: size)
        try go(on: recording, database, &generator, commits: commits, holds: holds) {
            _ = try workload.commit(to: $0)
        }
        return recording
    }

    /// Commits repeatedly, with some of the versions pinned for a while.
    private static func go(
        on recording: CrashRecording, _ database: Database, _ generator: inout SeededGenerator, commits: Int,
        holds: Bool, _ commit: (Database) throws -> Void
    ) throws {
        var held: [Snapshot] = []
        for _ in 0..<commits {
            try recording.commit(to: database, commit)
            guard holds else { continue }
            if generator.chance(25) { held.append(try database.snapshot()) }
            if !held.isEmpty, generator.chance(20) { held.remove(at: generator.below(held.count)) }
        }
    }
}
