// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

/// An open database with its confinement, or frozen at one version: the shared state of the copies of a `Realm`.
/// `reader` reads it, `writes` changes it, and `delivery` notifies observers.
///
/// A live instance is confined to a thread, a queue or an actor, which every entry verifies, so its state needs no
/// lock. It reads either its snapshot or, during a write, the transaction's own view. A frozen one may be used
/// anywhere, and is immutable.
@usableFromInline
@safe package final class RealmInstance {
    @usableFromInline package let reader: VersionReader
    package let writes: WriteSession
    package let delivery: Delivery
    /// Tracks reads for Observation; nil if they aren't tracked.
    package let tracker: ReadTracker?
    /// Refers to the instance until its deallocation begins.
    package let reference = InstanceReference()
    /// Deallocated with the instance; accessors point to it.
    @safe @usableFromInline package let state: UnsafeMutablePointer<ReadState>
    /// The names of the properties in queries.
    package let propertyNames: PropertyNames
    /// nil if several threads may compile queries, or while columns are added and removed.
    package let knownPaths: PathBindingCache?
    /// The models of the instance.
    package let models: any InstanceClasses

    package init(
        _ reader: VersionReader, models: any InstanceClasses, names: PropertyNames = .stored,
        known: PathBindingCache? = nil,
        tracker: ReadTracker? = nil
    ) {
        self.reader = reader
        self.models = models
        self.tracker = tracker
        propertyNames = names
        knownPaths = known
        state = reader.state
        writes = WriteSession(reader)
        delivery = Delivery(reader)
        reference.refer(to: self)
        writes.attach(to: self)
        delivery.attach(to: self)
        if reader.confinement.canSchedule { delivery.openPort() }
    }

    deinit {
        reference.clear()
        reader.abandonWrite()
    }

    /// Whether lookups of classes are cached. They aren't if several threads may look up classes, or while columns are
    /// added and removed.
    package var remembersClasses: Bool { knownPaths != nil }

    // MARK: Changes

    /// Runs an instruction of the write in progress. An instruction that the engine rejects is a programmer error; a
    /// world error makes the write fail. Returns nil if the write has failed. No instruction ends the write, so the
    /// transaction needn't be retained for it.
    @inlinable @discardableResult
    package func change<Result>(_ body: (WriteTransaction) throws -> Result) -> Result? {
        guard let transaction = state.pointee.transaction else {
            verifyFailed()
            return nil
        }
        let before = unsafe transaction._withUnsafeGuaranteedRef { $0.clock }
        let result: Result
        do {
            result = try unsafe transaction._withUnsafeGuaranteedRef { try body($0) }
        } catch {
            changeFailed(error)
            return nil
        }
        unsafe state.pointee.clock.follow(from: before, to: transaction._withUnsafeGuaranteedRef { $0.clock })
        return result
    }

    /// Traps unless the write in progress has failed.
    @inline(never) @usableFromInline
    func verifyFailed() {
        if reader.writeFailure == nil {
            throwRealmException("Cannot modify the Realm outside of a write transaction.")
        }
    }

    @inline(never) @usableFromInline
    func changeFailed(_ error: any Error) { reader.failWrite(reader.worldFailure(error)) }
}
