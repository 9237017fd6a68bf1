// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport

    /// Sends hostile messages to a server in a separate process: mutated recorded messages, messages with wrong
    /// numbers, and random bytes. The server must not end, must serve an honest client meanwhile and afterwards, and must
    /// use limited memory.
    struct HostileMessages {
        let count: Int
        let seed: UInt64
        /// Whether the messages are those of clients with subscriptions.
        let isFlexible: Bool
        private static let writers = 4
        /// In bytes. Three times the memory after 200,000 messages.
        private static let largestMemory = 256 << 20

        private var app: String { isFlexible ? "flexible" : "app" }
        private var mode: SyncMode { isFlexible ? .flexible : .partition }

        func run() async throws {
            let recordings = try SyncFixtures.recordings().filter { $0.hasPrefix("flx") == isFlexible }
                .map { try Recording($0).clientMessages }.filter { !$0.isEmpty }
            guard !recordings.isEmpty else { throw Failure("there are no recordings") }
            let process = try ServerProcess(folder: try TemporaryFolder())
            defer { process.crash() }
            let (port, admin) = (process.port, process.adminPort)
            let start = ContinuousClock.now
            // The honest client determines the schema of the app.
            try await requireService(port, "\"before\"")
            var received = 0
            var round: UInt64 = 0
            while received < count {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<UInt64(Self.writers) {
                        let seed = (seed &* 1000 &+ round) &* UInt64(Self.writers) &+ writer
                        group.addTask { try await send(recordings, port, SeededGenerator(seed: seed)) }
                    }
                    try await group.waitForAll()
                }
                guard process.isRunning else { throw Failure("the server has ended in round \(round), seed \(seed)") }
                if round % 20 == 0 { try await requireService(port, "\"honest \(round)\"") }
                round += 1
                received = try await Self.receivedCount(admin)
            }
            try await requireService(port, "\"after\"")
            let (seconds, memory) = (Int((ContinuousClock.now - start) / .seconds(1)), process.residentBytes)
            print(
                "\(received) hostile messages taken in, seed \(seed), \(round) rounds, \(seconds) s; resident "
                    + "\(memory >> 20) MiB; honest clients were served")
            guard memory <= Self.largestMemory else { throw Failure("the server uses too much memory") }
            guard process.terminate() == 0 else { throw Failure("the server did not end in order") }
        }

        private func send(
            _ recordings: [[[UInt8]]], _ port: Int, _ generator: SeededGenerator
        ) async throws {
            var generator = generator
            for _ in 0..<100 {
                let client = try await connect("user\(generator.below(20))", port)
                let partition = isFlexible ? SessionPurpose.ordinary.path() : "\"p\(generator.below(10))\""
                if generator.chance(80) { _ = try? await client.begin(partition) }
                if isFlexible, generator.chance(60) { try? await client.send(HostileQueries.first) }
                for message in messages(recordings, &generator) where client.socket.channel.isActive {
                    try? await client.socket.send(message).get()
                }
                client.close()
            }
        }

        private func connect(_ user: String, _ port: Int) async throws -> MessageClient {
            try await MessageClient(port: port, uri: WebSocketClient.uri(user: user, app: app), mode: mode)
        }

        private func messages(_ recordings: [[[UInt8]]], _ generator: inout SeededGenerator) -> [[UInt8]] {
            switch generator.below(4) {
            case 0:
                return generator.pick(recordings).map {
                    generator.chance(50) ? $0 : WireMutation.mutated($0, &generator)
                }
            case 1:
                return (0..<30).map { _ in
                    (0..<generator.below(200)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                }
            default:
                return (0..<30).map { _ in
                    isFlexible && generator.chance(30)
                        ? HostileQueries.message(&generator) : odd(recordings, &generator)
                }
            }
        }

        /// A well-formed message for session 1 with possibly wrong numbers, or an upload with a mutated recorded body.
        private func odd(_ recordings: [[[UInt8]]], _ generator: inout SeededGenerator) -> [UInt8] {
            let numbers = ["0", "1", "2", "3", "9", "100", "9223372036854775807", "9223372036854775808", "-1"]
            func number() -> String { generator.chance(80) ? "\(1 + generator.below(4))" : generator.pick(numbers) }
            switch generator.below(8) {
            case 0: return Array("ping \(number()) \(number())\n".utf8)
            case 1: return Array("mark 1 \(number())\n".utf8)
            case 2: return Array("test_command 1 \(number()) 2\n{}".utf8)
            case 3:
                let path = isFlexible ? "{}" : "\"p\(generator.below(9))\""
                return Array("bind \(number()) \(path.utf8.count) 0 \(generator.below(2)) 0\n\(path)".utf8)
            case 4: return Array("unbind \(number())\n".utf8)
            case 5:
                let query = isFlexible ? " \(number()) 2\n{}" : "\n"
                return Array("ident 1 \(number()) \(number()) \(number()) 0 \(number()) 0\(query)".utf8)
            default:
                let changeset = changeset(recordings, &generator)
                let entry = Array("\(number()) 0 \(number()) 0 \(changeset.count) ".utf8) + changeset
                return Array("upload 1 0 \(entry.count) 0 \(number()) 0 0\n".utf8) + entry
            }
        }

        /// A part of a recorded message with some bytes changed, which may or may not resemble a changeset.
        private func changeset(_ recordings: [[[UInt8]]], _ generator: inout SeededGenerator) -> [UInt8] {
            var bytes: [UInt8] =
                generator.chance(50)
                ? generator.pick([SimpleChanges.schema, SimpleChanges.create(1), SimpleChanges.add(5, to: 1)]).encoded()
                : Array(generator.pick(generator.pick(recordings)).suffix(generator.below(300)))
            for _ in 0..<generator.below(4) where !bytes.isEmpty {
                bytes[generator.below(bytes.count)] = UInt8(truncatingIfNeeded: generator.next())
            }
            return bytes
        }

        private func requireService(_ port: Int, _ partition: String) async throws {
            let client = try await connect("honest", port)
            _ = try await client.begin(isFlexible ? SessionPurpose.ordinary.path() : partition)
            _ = try await client.download()
            try await client.upload([SimpleChanges.schema], first: 1)
            var version: UInt64 = 0
            if isFlexible {
                try await client.send(HostileQueries.first)
                while true {
                    let download = try await client.download()
                    guard case .flexible(1, .lastOfBootstrap, _) = download.stage else { continue }
                    version = download.download.serverVersion
                    break
                }
            }
            try await client.upload([SimpleChanges.create(1)], first: 2, basedOn: version)
            try await client.waitForUpload(2)
            client.close()
        }

        private static func receivedCount(_ port: Int) async throws -> Int {
            let text = try await PlainRequest.answer(port, "GET /metrics HTTP/1.1")
            let name = "realm_server_received_messages_total "
            let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name) }
            guard let number = line.flatMap({ Int($0.dropFirst(name.count)) }) else {
                throw Failure("no metrics: \(text)")
            }
            return number
        }
    }
#endif
