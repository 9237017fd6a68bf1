// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmCrypto
import RealmSwift
import RealmTestSupport

/// Files to damage: our own models, large and small, ordinary and streaming, and the fixtures.
struct HostileFiles {
    static let key = Data(0..<64)

    private let files: [File]

    private struct File {
        let name: String
        let bytes: [UInt8]
        let nodes: [NodeMutator.Node]
        let isTyped: Bool

        init(_ path: String, isTyped: Bool) throws {
            name = (path as NSString).lastPathComponent
            bytes = try Images.read(path)
            nodes = NodeMutator.nodes(of: bytes)
            self.isTyped = isTyped
        }
    }

    static func make(in folder: String) throws {
        for (name, count) in [("tiny", 3), ("small", 12), ("large", 60)] {
            let url = URL(fileURLWithPath: "\(folder)/\(name).realm")
            let copy = URL(fileURLWithPath: "\(folder)/\(name)-streaming.realm")
            let realm = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: hostileTypes))
            try realm.fillWithThings(count)
            try realm.writeCopy(toFile: copy)
        }
    }

    init(in folder: String) throws {
        let own = ["tiny", "tiny-streaming", "tiny", "small", "small-streaming", "large"]
        let fixtures = FileMutator.fixtures(byteLimit: 64 << 10)
        files =
            try own.map { try File("\(folder)/\($0).realm", isTyped: true) }
            + fixtures.map { try File(Fixtures.path("v24/\($0).realm"), isTyped: false) }
    }

    func put(_ number: UInt64, at path: String) throws -> (use: HostileUse, record: String) {
        var generator = SeededGenerator(seed: number)
        let own = files.prefix { $0.isTyped }
        let others = files.dropFirst(own.count)
        let file = others.isEmpty || generator.chance(60) ? generator.pick(own) : generator.pick(others)
        var mutator = NodeMutator(file.bytes, file.nodes, generator)
        for _ in 0..<generator.pick([1, 1, 1, 1, 2, 2, 3, 5]) { mutator.damage() }
        let isEncrypted = generator.chance(20)
        let bytes = isEncrypted ? try HostileFiles.encrypted(mutator.bytes, &generator) : mutator.bytes
        try Images.write(bytes, to: path)
        let use = HostileUse(
            url: URL(fileURLWithPath: path), key: isEncrypted ? HostileFiles.key : nil, isTyped: file.isTyped)
        let record = "\(file.name)\(isEncrypted ? ", encrypted" : ""): \(mutator.record.joined(separator: "; "))"
        return (use, record)
    }

    /// Encrypts the bytes with authentic pages, and corrupts a few bytes in half of the cases.
    private static func encrypted(_ bytes: [UInt8], _ generator: inout SeededGenerator) throws -> [UInt8] {
        guard let cipher = try RealmPageCipher(key: [UInt8](key)) else { throw Failure("the key is invalid") }
        var image = try EncryptedImage.encrypt(bytes + [UInt8](repeating: 0, count: -bytes.count & 4095), cipher)
        if generator.chance(50) {
            for _ in 0...generator.below(3) { image[generator.below(image.count)] ^= 1 << UInt8(generator.below(8)) }
        }
        return image
    }
}
