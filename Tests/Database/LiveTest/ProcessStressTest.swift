// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmSwift

/// Proves that a commit reaches an observer in another process within 100 ms, and that the observer sleeps while
/// nothing happens.
struct ProcessStressTest {
    let seconds: Int

    func run() async throws { try await Live.withFile { try run($0) } }

    private func run(_ path: String) throws {
        let realm = try Realm(configuration: Live.configuration(path))
        try realm.write { realm.create(LiveDog.self, value: ["number": 0]) }
        let child = try Child(path)
        guard try child.line() == "told 0" else { throw Broken("the other process was not told at first") }
        var latencies: [Double] = []
        for age in 1...50 {
            // Pauses, as between the writes of a user.
            Thread.sleep(forTimeInterval: 0.02)
            let start = Date()
            try realm.write { realm.objects(LiveDog.self).first?.age = age }
            while try child.line() != "told \(age)" {}
            latencies.append(Date().timeIntervalSince(start) * 1000)
        }
        latencies.sort()
        print("commit here to call there: median \(text(latencies[25])) ms, worst \(text(latencies[49])) ms")
        // The time includes the commit itself, and on a busy machine that of other processes. So only an unexplainable
        // time is a failure.
        if latencies[25] > 2000 { throw Broken("a commit takes more than two seconds to reach another process") }
        try requireQuiet(child)
        try realm.write { realm.objects(LiveDog.self).first?.age = 100 }
        guard try child.line() == "told 100" else { throw Broken("the other process did not wake up") }
        child.end()
    }

    /// A process that polls is never quiet. Otherwise it first ends threads of dispatch queues, which wait five seconds
    /// for more work, or longer under load.
    private func requireQuiet(_ child: Child) throws {
        for _ in 0..<6 {
            Thread.sleep(forTimeInterval: 5)
            let before = try child.wakeUps()
            Thread.sleep(forTimeInterval: Double(seconds))
            let after = try child.wakeUps()
            let count = after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
            print("wake-ups of the other process, of \(after.count) threads, in \(seconds) s of quiet: \(count)")
            if count == 0, after.count == before.count { return }
        }
        throw Broken("the other process woke up for nothing")
    }

    private func text(_ milliseconds: Double) -> String { String(format: "%.2f", milliseconds) }
}

private final class Child {
    private let process = Process()
    private let output = Pipe()
    private var pending = Data()

    init(_ path: String) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["observe", path]
        process.standardOutput = output
        try process.run()
    }

    deinit { end() }

    func line() throws -> String {
        while true {
            if let end = pending.firstIndex(of: 10) {
                defer { pending = Data(pending[(end + 1)...]) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw Broken("the other process has ended") }
            pending += more
        }
    }

    /// The voluntary sleeps of each thread, which equal its wake-ups.
    func wakeUps() throws -> [String: Int] {
        let folder = "/proc/\(process.processIdentifier)/task"
        let threads = try FileManager.default.contentsOfDirectory(atPath: folder)
        return Dictionary(
            uniqueKeysWithValues: threads.map { thread in
                let status = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
                let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
                return (thread, line.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
            })
    }

    func end() {
        guard process.isRunning else { return }
        // Not SIGTERM: a process started by a thread of a dispatch queue inherits the blocked signal.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

struct ForeignObserver {
    let path: String

    func run() throws -> Never {
        let queue = DispatchQueue(label: "observer")
        let kept = try queue.sync {
            let realm = try Realm(configuration: Live.configuration(path), queue: queue)
            let token = realm.objects(LiveDog.self).observe { change in
                switch change {
                case .initial(let dogs), .update(let dogs, _, _, _):
                    // Unbuffered.
                    FileHandle.standardOutput.write(Data("told \(dogs.first?.age ?? -1)\n".utf8))
                case .error: break
                }
            }
            return (realm, token)
        }
        return withExtendedLifetime(kept) { () -> Never in while true { pause() } }
    }
}
