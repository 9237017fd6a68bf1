// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmStorage
import RealmSystem

/// A file or folder created by a command. It has a temporary name until it's complete, and is removed if the command
/// fails or the process is interrupted.
enum UnfinishedOutput {
    /// Calls `body` with the temporary name, and renames the output to `path` afterwards.
    static func write<Result>(_ path: String, _ body: (_ part: String) throws -> Result) throws -> Result {
        try guarded(path) { part in
            let result = try body(part)
            guard try FileCopy.publish(part, as: path) else {
                throw StorageError(.alreadyExists, "another program has made this file meanwhile", path: path)
            }
            return result
        }
    }

    /// Calls `body` with the temporary name. `body` must rename the output.
    static func guarded<Result>(_ path: String, _ body: (_ part: String) throws -> Result) throws -> Result {
        try WritableFile.requireNone(at: path)
        for leftover in FileCopy.removeLeftovers(of: path) { WritableFile.removeCompanions(of: leftover) }
        let part = FileCopy.partName(of: path)
        try Interruption.begin(removing: part)
        defer { Interruption.end(removing: part) }
        do {
            return try body(part)
        } catch let error as StorageError where error.path.hasPrefix(part) {
            // The user expects the final name of the file.
            throw error.replacing(path: path + error.path.dropFirst(part.count))
        }
    }

    fileprivate static func remove(_ part: String) {
        _ = try? Folder.remove(part)
        WritableFile.removeCompanions(of: part)
    }
}

/// Removes unfinished output when a signal ends the process: Control-C, a closed terminal, or `kill`.
private enum Interruption {
    private static let lock = Lock()
    /// Guarded by `lock`, as is `watches`.
    nonisolated(unsafe) private static var parts: Set<String> = []
    nonisolated(unsafe) private static var watches: [(signal: Int32, source: any DispatchSourceSignal)] = []

    static func begin(removing part: String) throws {
        try lock.locked {
            if parts.isEmpty {
                try requireDescriptors(of: part)
                watches = [SIGINT, SIGTERM, SIGHUP].compactMap(watch)
            }
            parts.insert(part)
        }
    }

    /// Throws unless the process can open the two descriptors of Dispatch's event loop: without them Dispatch traps.
    private static func requireDescriptors(of part: String) throws {
        let spare = (dup(STDERR_FILENO), dup(STDERR_FILENO))
        let number = errno
        for descriptor in [spare.0, spare.1] where descriptor >= 0 { close(descriptor) }
        // A closed standard error can't be duplicated, and leaves its own descriptor free.
        guard spare.1 >= 0 || number == EBADF else { throw SystemError("open", path: part, number: number) }
    }

    static func end(removing part: String) {
        UnfinishedOutput.remove(part)
        lock.locked {
            parts.remove(part)
            guard parts.isEmpty else { return }
            for watch in watches {
                signal(watch.signal, SIG_DFL)
                watch.source.cancel()
            }
            watches = []
        }
    }

    /// Watches for a signal, unless the parent process has set it to be ignored, as `nohup` does.
    private static func watch(_ number: Int32) -> (signal: Int32, source: any DispatchSourceSignal)? {
        var present = sigaction()
        guard sigaction(number, nil, &present) == 0, !isIgnored(present) else { return nil }
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { endProcess(number) }
        source.resume()
        return (number, source)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Ends the process with the status that shells use for one terminated by a signal.
    private static func endProcess(_ number: Int32) {
        lock.locked {
            // The interrupted command may still be opening a database there, which creates files beside it.
            for delay: UInt32 in [0, 2_000, 2_000, 2_000] {
                CurrentProcess.pause(microseconds: delay)
                for part in parts { UnfinishedOutput.remove(part) }
            }
            _exit(128 + number)
        }
    }
}
