// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmTestSupport
    import ServerTestSupport

    @testable import RealmSwift

    // Measures synchronised Realms on a server in this process, over loopback. Run by `Scripts/sync-speed`.
    //
    //     regnum-synced-test latency|uploads|first-sync COUNT

    final class Entry: Object {
        @Persisted(primaryKey: true) var _id: Int
        @Persisted var text = ""
        @Persisted var number = 0
    }

    let arguments = CommandLine.arguments
    guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
        FileHandle.standardError.write(Data("usage: regnum-synced-test latency|uploads|first-sync COUNT\n".utf8))
        exit(2)
    }
    let server = try await SyncedServer()
    Logger.shared.level = .off
    switch arguments[1] {
    case "latency": try await measureLatency(count)
    case "uploads": try await measureUploads(count)
    default: try await measureFirstSync(count)
    }
    try await server.stop()

    func device() async throws -> (folder: TemporaryFolder, configuration: Realm.Configuration) {
        let folder = try TemporaryFolder()
        let settings = AppConfiguration(baseURL: "http://127.0.0.1:\(server.port)")
        settings.rootDirectory = URL(fileURLWithPath: folder.path)
        let user = try await App(id: "notes", settings: settings.settings).login(credentials: .anonymous)
        var configuration = user.configuration(partitionValue: "speed")
        configuration.objectTypes = [Entry.self]
        return (folder, configuration)
    }

    /// The time from a commit on one device to the notification on another one.
    func measureLatency(_ count: Int) async throws {
        let (first, second) = (try await device(), try await device())
        let (queue, arrivals) = (DispatchQueue(label: "observer"), DispatchSemaphore(value: 0))
        let observer = try await Task { @Sendable in
            try queue.sync {
                let realm = try Realm(configuration: second.configuration, queue: queue)
                let token = realm.objects(Entry.self).observe(on: queue) { change in
                    if case .update(_, _, let insertions, _) = change, !insertions.isEmpty { arrivals.signal() }
                }
                return Kept((realm, token))
            }
        }.value
        let times = try await Task.detached { @Sendable in
            var times: [Double] = []
            let writer = DispatchQueue(label: "writer")
            try writer.sync {
                let realm = try Realm(configuration: first.configuration, queue: writer)
                for number in 0..<count {
                    let start = DispatchTime.now().uptimeNanoseconds
                    try realm.write { realm.add(Entry(value: [number, "entry \(number)", number])) }
                    arrivals.wait()
                    times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
                }
            }
            return times.sorted()
        }.value
        print(
            "from a commit to another device's notification, \(count): "
                + "p50 \(text(times[count / 2])) ms, p99 \(text(times[count * 99 / 100])) ms")
        queue.sync { observer.release() }
    }

    /// Small commits until the server has all of them, compared with equal commits to a local Realm.
    func measureUploads(_ count: Int) async throws {
        let device = try await device()
        let queue = DispatchQueue(label: "writer")
        let local = Realm.Configuration(
            fileURL: URL(fileURLWithPath: device.folder.path + "/local.realm"), objectTypes: [Entry.self])
        let alone = try ContinuousClock().measure { _ = try queue.sync { try write(count, to: local, queue) } }
        let start = ContinuousClock.now
        let kept = try queue.sync {
            let realm = try write(count, to: device.configuration, queue)
            return Kept((realm, realm.syncSession))
        }
        let written = ContinuousClock.now
        try await kept.value?.1?.wait(for: .upload)
        let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
        let own = Double((written - start) / .milliseconds(1)) / 1000
        print(
            "\(count) small commits written in \(text(own)) s, and on the server after \(text(seconds)) s: "
                + "\(Int(Double(count) / seconds)) a second; without synchronisation "
                + "\(text(Double(alone / .milliseconds(1)) / 1000)) s")
        queue.sync { kept.release() }
    }

    func write(_ count: Int, to configuration: Realm.Configuration, _ queue: DispatchQueue) throws -> Realm {
        let realm = try Realm(configuration: configuration, queue: queue)
        for number in 0..<count {
            try realm.write { realm.add(Entry(value: [number, "entry \(number)", number])) }
        }
        return realm
    }

    func measureFirstSync(_ count: Int) async throws {
        let (first, second) = (try await device(), try await device())
        let queue = DispatchQueue(label: "writer")
        let kept = try queue.sync {
            let realm = try Realm(configuration: first.configuration, queue: queue)
            for batch in stride(from: 0, to: count, by: 10_000) {
                try realm.write {
                    for number in batch..<min(count, batch + 10_000) {
                        realm.add(Entry(value: [number, "entry \(number)", number]))
                    }
                }
            }
            return Kept((realm, realm.syncSession))
        }
        try await kept.value?.1?.wait(for: .upload)
        queue.sync { kept.release() }
        let start = ContinuousClock.now
        let reader = DispatchQueue(label: "reader")
        let found = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
            Realm.asyncOpen(configuration: second.configuration, callbackQueue: reader) { result in
                continuation.resume(with: result.map { $0.objects(Entry.self).count })
            }
        }
        let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
        print(
            "the first download of \(found) objects: \(text(seconds)) s, \(Int(Double(found) / seconds)) objects a second"
        )
    }

    func text(_ number: Double) -> String { String(format: "%.2f", number) }

    /// A value that is created, used, and released on one queue. Guarded by that queue.
    final class Kept<Value>: @unchecked Sendable {
        private(set) var value: Value?

        init(_ value: Value) { self.value = value }

        func release() { value = nil }
    }
#else
    print("nothing is measured: built without the traits Server and Sync")
#endif
