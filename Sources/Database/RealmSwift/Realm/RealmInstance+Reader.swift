// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The reads of the instance, which its `VersionReader` serves.
extension RealmInstance {
    var confinement: Confinement { reader.confinement }
    var snapshot: Snapshot? { reader.snapshot }
    var transaction: WriteTransaction? { reader.transaction }
    var currentWrite: UInt64 { state.pointee.write }
    var isMigrating: Bool { reader.isMigrating }
    var isFrozen: Bool { state.pointee.isFrozen }
    var epoch: UInt32 { state.pointee.epoch }
    var isInWriteTransaction: Bool { state.pointee.write != 0 }
    var isTroubled: Bool { reader.isTroubled }
    var isOnOwnerThread: Bool { state.pointee.isOnOwnerThread || reader.isOnOwnerThread }
    var source: (any TableSource)? { reader.source }
    var currentSnapshot: Snapshot? { reader.currentSnapshot }

    func requireSource() throws -> any TableSource { try reader.requireSource() }

    func table(_ key: TableKey) -> Table? { reader.table(key) }

    func find(_ key: ObjectKey, in table: Table) throws -> ClusterTree.Position? { try reader.find(key, in: table) }

    func readsSameVersion(as other: RealmInstance) -> Bool { reader.readsSameVersion(as: other.reader) }

    func noteRead() { reader.noteRead() }

    func advance() throws { try reader.advance() }

    func changed() { reader.changed() }

    // MARK: Checks

    func verifyThread() { if !state.pointee.isOnOwnerThread { reader.verifyThread() } }

    func verifyInWrite(_ text: @autoclosure () -> String) { reader.verifyInWrite(text()) }

    func verifyWritable() { reader.verifyWritable() }

    func verifyUnfailed() throws { try reader.verifyUnfailed() }

    // MARK: Errors

    @inline(__always)
    func reading<Result>(_ fallback: @autoclosure () -> Result, _ body: () throws -> Result) -> Result {
        reader.reading(fallback(), body)
    }

    func refuse(_ text: @autoclosure () -> String) { reader.refuse(text()) }

    func report(_ error: StorageError) { reader.report(error) }

    func worldFailure(_ error: any Error) -> StorageError { reader.worldFailure(error) }

    /// Runs an operation that should fail only because of a programmer error. Returns nil after a world error.
    func trappingOnError<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            reader.report(reader.worldFailure(error))
            return nil
        }
    }

    /// Like `trappingOnError`, where the API has to return a value and has no placeholder for it: a world error also
    /// traps.
    func requiring<Result>(_ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            throwRealmException("\(Realm.Error(worldFailure(error)))")
        }
    }

    func throwing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw Realm.Error(error)
        }
    }
}
