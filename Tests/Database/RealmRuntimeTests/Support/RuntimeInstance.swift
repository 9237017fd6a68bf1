// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage
import RealmSystem
import RealmTestSupport

/// A database in memory, and its log.
struct RuntimeDatabase {
    let host: DatabaseHost
    let log = Log()
    private let folder: TemporaryFolder

    final class Log: LogSink {
        private let lines = Locked<[String]>([])

        var texts: [String] { lines.withLock { $0 } }

        func write(_ severity: LogSeverity, _ message: @autoclosure () -> String) {
            let line = "\(severity): \(message())"
            lines.withLock { $0.append(line) }
        }
    }

    init() throws {
        folder = try TemporaryFolder()
        host = DatabaseHost(try Database.inMemory(in: folder.path), place: "'test'", log: log)
    }

    func newest() throws -> Snapshot { try host.database.snapshot(label: VersionReader.holder) }
}

/// An instance without models, and the calls that its writes make.
final class RuntimeInstance: WriteOwner {
    let reader: VersionReader
    let writes: WriteSession
    let port: DeliveryPort? = nil
    private(set) var calls: [String] = []

    init(_ database: RuntimeDatabase, isReadOnly: Bool = false) throws {
        let settings = ReaderSettings(
            path: nil, memoryIdentifier: "test", isReadOnly: isReadOnly, isImmutable: isReadOnly, writeLimit: nil,
            maxVersionCount: nil)
        reader = VersionReader(
            database.host, settings, at: .thread(ThreadToken.current()), try database.newest(), isTracked: false)
        writes = WriteSession(reader)
        writes.attach(to: self)
    }

    deinit { reader.abandonWrite() }

    func attachToRunLoop() -> Bool { false }
    func returnToCommitted() throws { try reader.advance() }
    func writeDidBegin(hasMoved: Bool) { calls.append(hasMoved ? "begin, moved" : "begin") }
    func writeDidCommit() { calls.append("commit") }
    func writeWasCancelled() { calls.append("cancel") }
    func writeDidEnd() { calls.append("end") }
    func commitDidEnd() { calls.append("commit ended") }
}
