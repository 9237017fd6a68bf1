// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSystem

/// Signals of writes to files.
@Suite struct ChangeSignalTests {
    private static func file(_ number: Int, in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/\(number)"
        try Data([0]).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func append(to path: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data([1]))
        try file.close()
    }

    #if os(Linux)
        private static func inotifyCount() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
                let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
                return link?.contains("inotify") ?? false
            }
        }

        @Test(.behaviour("U02")) func anyNumberOfFilesTakesOneWatcher() throws {
            let folder = try TemporaryFolder()
            let watcher = FileWatcher()
            let before = try Self.inotifyCount()
            let calls = (0..<200).map { _ in CallCounter() }
            let paths = try calls.indices.map { try Self.file($0, in: folder) }
            let signals = try zip(paths, calls).map { path, calls in
                try ChangeSignal(path: path, watcher: watcher) { calls.call() }
            }
            // Other tests may have watches at this time.
            #expect(try Self.inotifyCount() - before <= 4)
            for number in [0, 127, 199] {
                #expect(signals[number].pollingReason == nil)
                try Self.append(to: paths[number])
                #expect(calls[number].wait(for: 1))
            }
            #expect(calls[1].number == 0 && calls[128].number == 0)
            withExtendedLifetime(signals) {}
        }
    #endif

    @Test(.behaviour("U02")) func withoutAWatcherTheFileIsPolled() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(0, in: folder)
        let watcher = FileWatcher { throw SystemError("inotify_init1", path: "", number: EMFILE) }
        let calls = CallCounter()
        var signal: ChangeSignal? = try ChangeSignal(path: path, watcher: watcher) { calls.call() }
        #expect(signal?.pollingReason?.contains("inotify_init1: ") == true)
        for _ in 0..<3 {
            let number = calls.number
            try Self.append(to: path)
            #expect(calls.wait(for: number + 1))
        }
        signal = nil
        let number = calls.number
        try Self.append(to: path)
        Thread.sleep(forTimeInterval: 1.2)
        #expect(calls.number == number)
    }

    /// The kernel gives all watches of one file the same number.
    @Test func oneOfTwoSignalsOfAFileEnds() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(0, in: folder)
        let watcher = FileWatcher()
        let (first, second) = (CallCounter(), CallCounter())
        var signals = [
            try ChangeSignal(path: path, watcher: watcher) { first.call() },
            try ChangeSignal(path: path, watcher: watcher) { second.call() },
        ]
        try Self.append(to: path)
        #expect(first.wait(for: 1) && second.wait(for: 1))
        signals.removeFirst()
        let (gone, number) = (first.number, second.number)
        try Self.append(to: path)
        #expect(second.wait(for: number + 1) && first.number == gone)
        signals = []
    }

    @Test func aFileThatIsNotThereCannotBeWatched() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SystemError.self) { try ChangeSignal(path: folder.path + "/none") {} }
    }
}
