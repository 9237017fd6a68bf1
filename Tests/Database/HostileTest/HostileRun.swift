// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport

/// Uses damaged files in separate processes, and continues after a file that ended one.
///
/// `lock` guards all state.
final class HostileRun: @unchecked Sendable {
    private let folder: TemporaryFolder
    private let base: String
    private let lock = NSLock()
    private var next: UInt64
    private let end: UInt64
    private var failures: [String] = []

    private static let share: UInt64 = 500

    init(first: UInt64, count: UInt64) throws {
        folder = try TemporaryFolder()
        let memory = "/dev/shm"
        base = FileManager.default.isWritableFile(atPath: memory) ? "\(memory)/regnum-hostile-\(getpid())" : folder.path
        next = first
        end = first + count
    }

    func run() throws -> [String] {
        try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: base) }
        try HostileFiles.make(in: base)
        DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { worker in
            while let range = take() { run(range, worker) }
        }
        return failures
    }

    private func take() -> Range<UInt64>? {
        lock.withLock {
            guard next < end else { return nil }
            let range = next..<min(next + HostileRun.share, end)
            next = range.upperBound
            return range
        }
    }

    private func run(_ range: Range<UInt64>, _ worker: Int) {
        var first = range.lowerBound
        while first < range.upperBound {
            let (progress, output) = ("\(base)/progress-\(worker)", "\(base)/output-\(worker)")
            _ = FileManager.default.createFile(atPath: output, contents: nil)
            _ = FileManager.default.createFile(atPath: progress, contents: Data("\(first)".utf8))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = ["use", base, "\(worker)", "\(first)", "\(range.upperBound - first)"]
            process.standardError = FileHandle(forWritingAtPath: output)
            process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            do {
                try process.run()
                process.waitUntilExit()
            } catch {
                return fail("a process could not be started: \(error)")
            }
            if process.terminationReason == .exit, process.terminationStatus == 0 { return }
            let reached = (try? String(contentsOfFile: progress, encoding: .utf8)).flatMap { UInt64($0) } ?? first
            let lines = (try? String(contentsOfFile: output, encoding: .utf8))?.split(separator: "\n") ?? []
            let signal = process.terminationReason == .exit ? "" : "signal \(process.terminationStatus), "
            fail("file \(reached): \(signal)\(lines.suffix(2).joined(separator: " | ").prefix(600))")
            first = reached + 1
        }
    }

    private func fail(_ text: String) {
        lock.withLock {
            failures.append(text)
            print(text)
            fflush(nil)
        }
    }
}

/// Uses files with these numbers in this process, and records the current number in `base`.
func useFiles(_ base: String, _ worker: String, _ numbers: Range<UInt64>) throws {
    let files = try HostileFiles(in: base)
    let path = "\(base)/file-\(worker).realm"
    guard let progress = FileHandle(forWritingAtPath: "\(base)/progress-\(worker)") else {
        throw Failure("there is no file for the progress")
    }
    for number in numbers {
        try progress.seek(toOffset: 0)
        try progress.write(contentsOf: Data("\(number)".utf8))
        try? FileManager.default.removeItem(atPath: path + ".lock")
        // Ends a process that waits forever instead of computing.
        alarm(60)
        let (use, record) = try files.put(number, at: path)
        do {
            let time = try processorTime { try use.run(number) }
            try require(time < .seconds(2), "took \(time)")
            try require(HostileMemory.peakByteCount < HostileMemory.limit, "took too much memory")
        } catch {
            throw Failure("\(record): \(error)")
        }
    }
}

enum HostileMemory {
    /// Files are smaller than a megabyte. The rest is the program itself, and data about all files.
    static let limit = 400 << 20

    static var peakByteCount: Int {
        var usage = rusage()
        // RUSAGE_SELF, whose type differs between C libraries.
        getrusage(0, &usage)
        #if canImport(Darwin)
            return usage.ru_maxrss
        #else
            return usage.ru_maxrss << 10
        #endif
    }
}
