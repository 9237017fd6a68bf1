// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmSystem

/// World errors where the API cannot throw: a damaged file, a full disk, a system call that fails.
///
/// A read returns the empty value, logs the error once on standard error, and makes the next commit throw it. An
/// instruction of a write that meets such an error makes the write fail: all later changes are skipped, reads continue,
/// and its commit throws the error and rolls everything back. A write that can't begin has failed from the start.
///
/// Programmer errors still trap. But after a world error, an apparent mistake may be a consequence of it (an object
/// that can't be found any more, an element that wasn't inserted), and is ignored silently. Damage that no read has met
/// looks similar, so the file is audited before the trap.
extension VersionReader {
    /// Runs a read. Returns `fallback` after a world error.
    @inlinable @inline(__always)
    package func reading<Result>(_ fallback: @autoclosure () -> Result, _ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            readFailed(error)
            return fallback()
        }
    }

    /// Reports the world error that a read met. Not inlined: reads are frequent and rarely fail.
    @inline(never) @usableFromInline
    package func readFailed(_ error: any Error) { report(readFailure(error)) }

    private func readFailure(_ error: any Error) -> StorageError {
        switch error {
        case let error as StorageError: error.asDamage.at(path: database.path)
        case let error as SystemError: StorageError(error)
        default: StorageError(.fileAccess, "\(error)", path: database.path)
        }
    }

    /// Converts `error` to a world error. Traps for programmer errors; only this function distinguishes the two.
    @usableFromInline package func worldFailure(_ error: any Error) -> StorageError {
        switch error {
        case let error as StorageError where error.isMistake && !mayComeOfTrouble: throwRealmException(error.message)
        case is StorageError, is SystemError: return readFailure(error)
        case let error as PredicateError where mayComeOfTrouble:
            return StorageError(
                .invalidDatabase, error.message + "; the file is damaged", path: database.path)
        case let error as PredicateError: throwRealmException(error)
        default: throwRealmException("\(error)")
        }
    }

    /// The next commit throws the error.
    @usableFromInline package func report(_ error: StorageError) {
        let error = database.cause(of: error)
        let isNew = trouble.withLock { trouble in
            defer { trouble = trouble ?? error }
            return trouble == nil
        }
        if isNew { host.logFailure(error) }
    }

    package var isTroubled: Bool { writeFailure != nil || trouble.withLock { $0 != nil } }

    /// Whether an apparent mistake may be caused by a world error that occurred, or by damage that an audit finds.
    private var mayComeOfTrouble: Bool {
        if isTroubled { return true }
        guard let damage = host.foundDamage() else { return false }
        report(damage)
        return true
    }

    /// Traps for a programmer error, unless it may be caused by a world error.
    package func refuse(_ text: @autoclosure () -> String) {
        if !mayComeOfTrouble { throwRealmException(text()) }
    }

    /// Skips all further changes of the write in progress. Its commit throws `failure`, or an earlier error. Reads
    /// continue.
    package func failWrite(_ failure: StorageError) {
        writeFailure = writeFailure ?? failure
        refuseChanges()
        if failure.isLasting { report(failure) }
    }

    /// Throws the world error of the write in progress or its reads: damage each time, a transient error once.
    package func verifyUnfailed() throws {
        if let failure = writeFailure { throw failure }
        let met = trouble.withLock { trouble in
            defer { if trouble?.isLasting == false { trouble = nil } }
            return trouble
        }
        if let met { throw met }
    }
}

extension StorageError {
    /// An argument that the Realm has validated and the engine rejects: the file contradicts itself.
    fileprivate var asDamage: StorageError {
        guard code == .invalidArgument || code == .limitExceeded else { return self }
        return StorageError(.invalidDatabase, message + "; the file is damaged", path: path, offset: offset)
    }

    /// Whether a retry would fail too, because the file's content is wrong.
    package var isLasting: Bool { code == .invalidDatabase }
}
