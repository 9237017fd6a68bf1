// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmSwift

/// Proves that neither the heap nor the number of open files grows with openings, for all kinds of confinement.
struct OpeningProof {
    let count: Int

    func run() async throws {
        try await Live.withFile { path in
            let configuration = Live.configuration(path)
            let queue = DispatchQueue(label: "openings")
            let opener = OpeningActor()
            try await Heap.verifyFlat("openings on a queue", count) { part in
                for _ in 0..<part { try queue.sync { try visit(configuration, queue) } }
            }
            try await Heap.verifyFlat("openings on a run loop", count) { part in
                try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                    let thread = Locked<LoopThread?>(nil)
                    thread.value = LoopThread {
                        done.resume(with: Result { for _ in 0..<part { try visit(configuration, nil) } })
                        thread.value?.end()
                    }
                }
            }
            try await Heap.verifyFlat("openings on main", count) { part in
                try await MainActor.run { for _ in 0..<part { try visit(configuration, nil) } }
            }
            try await Heap.verifyFlat("openings in an actor", count) { part in
                for _ in 0..<part { try await opener.visit(configuration) }
            }
        }
    }

    /// Guarded by its lock.
    private final class Locked<Value>: @unchecked Sendable {
        private let lock = NSLock()
        private var kept: Value
        init(_ value: Value) { kept = value }
        var value: Value {
            get { lock.withLock { kept } }
            set { lock.withLock { kept = newValue } }
        }
    }
}

@Sendable private func visit(_ configuration: Realm.Configuration, _ queue: DispatchQueue?) throws {
    try autoreleasing {
        let realm = try Realm(configuration: configuration, queue: queue)
        guard realm.objects(LiveDog.self).isEmpty else { throw Broken("there is a dog") }
    }
}

private actor OpeningActor {
    func visit(_ configuration: Realm.Configuration) async throws {
        let realm = try await Realm.open(configuration: configuration)
        guard realm.objects(LiveDog.self).isEmpty else { throw Broken("there is a dog") }
    }
}

private func autoreleasing(_ body: () throws -> Void) throws {
    #if canImport(Darwin)
        try autoreleasepool { try body() }
    #else
        try body()
    #endif
}
