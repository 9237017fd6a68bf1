// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The lock that keeps realm-core away from a database we have open, and us from one it has open (container 8.7).
///
/// It is a BSD lock on `<path>.lock`, held shared for as long as this object lives, over a guard block whose layout
/// version no release of realm-core accepts. A crash of the process releases it. The descriptor is immutable, hence
/// `Sendable`.
package final class SessionLock: Sendable {
    private let descriptor: Int32
    package let path: String

    /// Size of the guard block: at least a page, so that realm-core does not call it an architecture mismatch.
    static let guardByteCount = 4096
    static let layoutVersionOffset = 6
    static let magicOffset = 64
    static let magic: [UInt8] = Array("REGNUM-1".utf8)

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Takes the session of the database at `database`, or returns nil if somebody else has it open.
    ///
    /// Tries for about 100 ms, because an opener that is about to fail holds the shared lock for moments.
    package static func acquire(forDatabase database: String) throws -> SessionLock? {
        for attempt in 0..<10 {
            if let lock = try attemptAcquire(database + ".lock") { return lock }
            usleep(useconds_t(2_000 * (attempt + 1)))
        }
        return nil
    }

    private static func attemptAcquire(_ path: String) throws -> SessionLock? {
        let descriptor = Int32(retrying { Int(openLockFile(path)) })
        guard descriptor != -1 else { throw SystemError.last("open", path: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let busy = errno == EWOULDBLOCK
            let error = SystemError.last("flock", path: path)
            close(descriptor)
            if busy { return nil }
            throw error
        }
        let nonce = guardIdentity()
        do {
            try writeGuard(descriptor, nonce: nonce, path: path)
        } catch {
            close(descriptor)
            throw error
        }
        // The step down from exclusive to shared is not atomic: a core process may have come between, in which case
        // the block is no longer ours.
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0, holdsGuard(descriptor, nonce: nonce) else {
            close(descriptor)
            return nil
        }
        return SessionLock(descriptor: descriptor, path: path)
    }

    private static func guardIdentity() -> [UInt8] {
        let pid = UInt64(getpid())
        let random = UInt64.random(in: .min ... .max)
        return magic
            + [pid, random].flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }

    /// Byte 0 comes last: realm-core takes the block as complete once it is 1.
    private static func writeGuard(_ descriptor: Int32, nonce: [UInt8], path: String) throws {
        let steps: [(bytes: [UInt8], offset: Int)] = [
            ([0xFF, 0xFF], layoutVersionOffset), (nonce, magicOffset), ([1], 0),
        ]
        guard ftruncate(descriptor, 0) == 0, ftruncate(descriptor, off_t(guardByteCount)) == 0 else {
            throw SystemError.last("ftruncate", path: path)
        }
        for step in steps {
            let written = unsafe step.bytes.withUnsafeBytes {
                unsafe pwrite(descriptor, $0.baseAddress!, $0.count, off_t(step.offset))
            }
            guard written == step.bytes.count else { throw SystemError.last("pwrite", path: path) }
        }
    }

    private static func holdsGuard(_ descriptor: Int32, nonce: [UInt8]) -> Bool {
        var block = [UInt8](repeating: 0, count: magicOffset + nonce.count)
        let count = unsafe block.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress!, $0.count, 0) }
        return count == block.count && block[0] == 1 && block[layoutVersionOffset] == 0xFF
            && block[layoutVersionOffset + 1] == 0xFF && Array(block[magicOffset...]) == nonce
    }
}

private func openLockFile(_ path: String) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC
    #if canImport(Darwin)
        return Darwin.open(path, flags, 0o644)
    #elseif canImport(Musl)
        return Musl.open(path, flags, 0o644)
    #else
        return unsafe Glibc.open(path, flags, 0o644)
    #endif
}
