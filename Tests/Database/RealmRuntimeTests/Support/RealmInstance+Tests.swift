// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmRuntime
import RealmStorage

/// The classes of an instance without models.
private final class NoModels: InstanceClasses {
    func elementClass(
        _ type: AnyClass, of column: ColumnKey, in managed: ManagedClass, _ instance: RealmInstance
    ) -> ManagedClass? { nil }

    func filter(_ keyPaths: [String], of managed: ManagedClass, _ instance: RealmInstance) -> KeyPathFilter {
        KeyPathFilter(keyPaths, paths: [])
    }
}

extension RealmInstance {
    /// Creates an instance without models that is confined to a queue and delivers notifications. Call this on `queue`.
    convenience init(_ database: RuntimeDatabase, on queue: DispatchQueue) throws {
        try self.init(database, at: .queue(.of(queue), queue))
    }

    /// Creates an instance without models.
    convenience init(_ database: RuntimeDatabase, at confinement: Confinement) throws {
        let settings = ReaderSettings(
            path: nil, memoryIdentifier: "test", isReadOnly: false, isImmutable: false, writeLimit: nil,
            maxVersionCount: nil)
        self.init(
            VersionReader(database.host, settings, at: confinement, try database.newest(), isTracked: false),
            models: NoModels())
    }

    /// Commits the changes of `body`.
    func write(_ body: (WriteTransaction) throws -> Void) throws {
        try writes.enter()
        guard let transaction else { throw StorageError(.invalidArgument, "no write") }
        try body(transaction)
        changed()
        try writes.commit()
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
