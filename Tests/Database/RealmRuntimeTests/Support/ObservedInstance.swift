// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmRuntime
import RealmStorage

/// An instance without models that is confined to a queue and delivers notifications.
final class ObservedInstance: DatabaseInstance {
    let reader: VersionReader
    let writes: WriteSession
    let delivery: Delivery
    let tracker: ReadTracker? = nil
    let reference = InstanceReference()

    /// Call this on `queue`.
    init(_ database: RuntimeDatabase, on queue: DispatchQueue) throws {
        let settings = ReaderSettings(
            path: nil, memoryIdentifier: "test", isReadOnly: false, isImmutable: false, writeLimit: nil,
            maxVersionCount: nil)
        reader = try VersionReader(database.host, settings, at: .queue(.of(queue), queue), nil, isTracked: false)
        writes = WriteSession(reader)
        delivery = Delivery(reader)
        attachParts()
    }

    deinit {
        reference.clear()
        reader.abandonWrite()
    }

    /// Commits the changes of `body`.
    func write(_ body: (WriteTransaction) throws -> Void) throws {
        try writes.enter()
        guard let transaction = reader.transaction else { throw StorageError(.invalidArgument, "no write") }
        try body(transaction)
        reader.changed()
        try commit()
    }

    /// Observes all objects of a table.
    func observe(_ table: TableKey, _ block: @escaping (Observer.Delivery) -> Void) throws -> Observer {
        let detector = QueryDetector(ObservedQuery(.table, elements: table, steps: []), filter: nil)
        let observer = Observer(
            detector, in: self, since: try delivery.observedVersion(), failed: { _ in }, block)
        delivery.add(observer)
        return observer
    }
}
