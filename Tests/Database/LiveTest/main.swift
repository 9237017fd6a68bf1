// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

// Proves the guarantees of notifications for a given time: a stress test, flat memory, prompt commits to other
// processes, and no needless wake-ups.

let usage = """
    usage: regnum-live-test stress [SECONDS]       eight tasks, with one Realm each; for a build with --sanitize=thread
           regnum-live-test memory [COUNT]         how the heap grows over so many notifications and writes
           regnum-live-test openings [COUNT]       how it grows over so many openings
           regnum-live-test processes [SECONDS]    an observer in another process: how late, and how often awake
           regnum-live-test tracks                 whether this program, which has no use for it, tracks reads
           regnum-live-test observe FILE           the other process: prints notifications with times, and wake-ups
    """
let arguments = Array(CommandLine.arguments.dropFirst())
let number = arguments.dropFirst().first.flatMap { Int($0) }
do {
    switch arguments.first {
    case "stress":
        let seconds = ProcessInfo.processInfo.environment["REGNUM_STRESS_SECONDS"].flatMap { Int($0) }
        try await Stress(seconds: number ?? seconds ?? 5).run()
    case "memory":
        Heap.beginExactly()
        try await MemoryStressTest(count: number ?? 100_000).run()
    case "openings":
        Heap.beginExactly()
        try await OpeningProof(count: number ?? 250_000).run()
    case "processes": try await ProcessStressTest(seconds: number ?? 10).run()
    case "tracks": print(Realm.Configuration().access.tracksReads)
    case "observe": try ForeignObserver(path: arguments.dropFirst().first ?? "").run()
    default:
        print(usage)
        exit(2)
    }
} catch {
    print("failed: \(error)")
    exit(1)
}
