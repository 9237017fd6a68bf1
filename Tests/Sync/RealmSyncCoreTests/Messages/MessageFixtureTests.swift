// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// The messages exchanged by original clients and servers.
@Suite struct MessageFixtureTests {
    private static let broken: Set = [
        "violation-bad-header.jsonl", "violation-download-short.jsonl", "violation-left-over.jsonl",
        "violation-unknown-message.jsonl",
    ]

    private func isSame(_ a: [UInt8], _ b: [UInt8]) throws -> Bool {
        // Clients read an unknown action as a bug of the application.
        if a == b || String(decoding: b, as: UTF8.self).contains("NeverHeardOf") { return true }
        guard let endA = a.firstIndex(of: 0x0A), let endB = b.firstIndex(of: 0x0A) else { return false }
        let (headerA, headerB) = (a[..<endA], b[..<endB])
        switch headerA.split(separator: 0x20).first.map({ String(decoding: $0, as: UTF8.self) }) {
        case "json_error", "log_message":
            return try JSON(parsing: Array(a[endA...])) == JSON(parsing: Array(b[endB...]))
        case "upload", "download":
            // Only the compression may differ, or its use if it hardly saves space.
            return a.count > 1024 && headerA.split(separator: 0x20).count == headerB.split(separator: 0x20).count
        default: return false
        }
    }

    @Test func everyMessageIsReadAndWritten() throws {
        var counts = (read: 0, same: 0, refused: 0)
        for name in try SyncFixtures.recordings() {
            for message in try Recording(name).messages {
                let printed: [UInt8]
                switch message.content {
                case .client(let content):
                    printed = content.encoded()
                    #expect(try ClientMessage(printed, mode: message.mode) == content, "\(name)")
                case .server(let content):
                    printed = content.encoded()
                    #expect(try ServerMessage(printed, mode: message.mode) == content, "\(name)")
                case .broken(let error):
                    #expect(Self.broken.contains(name), "\(name): \(error)")
                    counts.refused += 1
                    continue
                }
                #expect(try isSame(printed, message.bytes), "\(name): \(String(decoding: printed, as: UTF8.self))")
                counts.read += 1
                if printed == message.bytes { counts.same += 1 }
            }
        }
        print("messages: \(counts.read) read, \(counts.same) written as they were, \(counts.refused) refused")
        #expect(counts.read > 2500)
        #expect(counts.refused == 4)
    }

    @Test func mutatedMessages() throws {
        var generator = SeededGenerator(for: "mutated messages")
        var messages: [[UInt8]] = []
        for name in ["original-conflicts", "flx-two-messages", "pbs-large-uploads", "error-warning"] {
            messages += try Recording(name + ".jsonl").messages.map(\.bytes).filter { $0.count < 5000 }
        }
        #expect(messages.count > 20)
        for _ in 0..<(Settings.number("REGNUM_FUZZ_COUNT") ?? 300) * 30 {
            var bytes = generator.pick(messages)
            for _ in 0...generator.below(3) where !bytes.isEmpty {
                // Most changes are in the header.
                let place = generator.below(generator.chance(70) ? min(bytes.count, 60) : bytes.count)
                switch generator.below(4) {
                case 0: bytes[place] = UInt8(generator.below(256))
                case 1: bytes[place] = UInt8(ascii: "0") + UInt8(generator.below(10))
                case 2: bytes.remove(at: place)
                default: bytes.insert(generator.pick(Array("0123456789 \n".utf8)), at: place)
                }
            }
            for mode in [SyncMode.partition, .flexible] {
                if let message = try? ClientMessage(bytes, mode: mode) { _ = message.encoded() }
                if let message = try? ServerMessage(bytes, mode: mode) { _ = message.encoded() }
            }
        }
    }
}
