// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Pages that were free before a commit are written together with their entries, and page 0 is written last. In every
/// crash image, the version named in page 0 is whole.
@Suite struct DisusedPageTests {
    private static func syncCount(_ disk: FaultyFile) -> Int {
        defer { disk.forget() }
        return disk.events.count { if case .sync = $0 { true } else { false } }
    }

    private static func open(_ disk: any DatabaseFile) throws -> EncryptedFile {
        try EncryptedFile(disk, cipher: QuickCipher())
    }

    private static func create(_ disk: any DatabaseFile, pageCount: Int) throws -> EncryptedFile {
        let file = try open(disk)
        try file.resize(to: pageCount * 4096)
        try file.write([UInt8](repeating: 0, count: 16) + FileFormat.mnemonic, at: 0)
        try file.sync()
        return file
    }

    @Test func aCommitToFreePagesSyncsTwice() throws {
        let disk = FaultyFile(try ImageFile())
        let file = try Self.create(disk, pageCount: 4)
        _ = Self.syncCount(disk)
        func commit(_ value: UInt8) throws -> Int {
            file.discardUnused([4096..<12288], doubtful: [])
            try file.write([value, value], at: 8191)
            try file.sync(then: [value], at: 100)
            return Self.syncCount(disk)
        }
        #expect(try commit(1) == 2)
        #expect(try EntryPage(disk, block: 0)[1].isSingle)
        #expect(try commit(2) == 2)
        // After an opening it is unknown which part of page 0 is on disk. So it is rewritten and synced, then the
        // entries, then the pages.
        let other = try Self.open(disk)
        other.discardUnused([4096..<12288], doubtful: [])
        try other.write([3, 3], at: 8191)
        try other.sync(then: [3], at: 100)
        #expect(Self.syncCount(disk) == 4)
        // If some bytes of a page are kept, there is a barrier and a second seal.
        try other.write([4], at: 8191)
        try other.sync(then: [4], at: 100)
        #expect(Self.syncCount(disk) == 3)
        #expect(try !EntryPage(disk, block: 0)[1].isSingle)
        #expect(try EntryPage(disk, block: 0)[2].isSingle)
        let bytes = try Self.open(disk).contents()
        #expect(Array(bytes[8190..<8194]) == [0, 4, 3, 0])
    }

    /// A free page damaged by a crash can't be read or changed in part. An audit reads zeros, and a commit that may use
    /// the page rewrites it.
    @Test func aDamagedFreePageIsRewrittenAsAWholeOnly() throws {
        let disk = try ImageFile()
        let file = try Self.create(disk, pageCount: 2)
        file.discardUnused([4096..<8192], doubtful: [])
        try file.write([1], at: 5000)
        try file.sync()
        try disk.write([0xFF], at: EncryptedLayout.offset(ofPage: 1))
        let spoiled = try Self.open(disk)
        var byte: [UInt8] = [0]
        #expect(throws: StorageError.self) { try byte.withUnsafeMutableBytes { try spoiled.read(into: $0, at: 5000) } }
        #expect(throws: StorageError.self) { try spoiled.write([2], at: 5001) }
        #expect(try spoiled.contents()[4096...].allSatisfy { $0 == 0 })
        spoiled.discardUnused([4097..<8192], doubtful: [])
        #expect(throws: StorageError.self) { try spoiled.write([2], at: 5001) }
        for part in [4096..<8192, 4096..<4100] {
            // Whole pages that are free, or that are used only by a version which isn't whole.
            let file = try Self.open(try ImageFile(try disk.contents()))
            file.discardUnused(part.count == 4096 ? [part] : [4100..<8192], doubtful: part.count == 4096 ? [] : [part])
            try file.write([2], at: 5001)
            try file.sync()
            #expect(try Array(file.contents()[4999..<5003]) == [0, 0, 2, 0])
        }
    }

    /// A commit cut off by a crash reused space of the version before the newest. The next opening keeps that version,
    /// since it can't detect this, and has to fill the rest of its pages.
    @Test func remainsOfTheVersionBeforeAreHarmless() throws {
        let workload = try #require(CrashWorkload.named("busy"))
        try CrashRun(workload, .encrypted, seed: 4_210_391_276).tryRandomImages(100, with: try CrashVerifier())
    }

    /// A small engine whose versions consist of half pages, each written to half pages that no other version uses. It
    /// commits, fails, and is reopened at random, with some crashes after each step.
    @Test func everyVersionIsCompleteOrAbsent() throws {
        var generator = SeededGenerator(for: "disused pages")
        let rounds = Settings.isContinuousIntegration ? 400 : 10
        for round in 0..<rounds {
            try withTrace("seed \(generator.seed), round \(round)") { try Self.run(&generator) }
        }
    }

    private static let half = 2048

    private typealias Version = [Int: UInt8]

    private static func run(_ generator: inout SeededGenerator) throws {
        let disk = FaultyFile(try ImageFile(), tear: 512)
        var file = try create(disk, pageCount: 2 + generator.below(5))
        var versions: [Version] = [[:]]
        var durable = 0
        var image = CrashImage(on: CrashConfiguration.encrypted.disk)
        for event in disk.events { image.apply(event) }
        disk.forget()
        for _ in 0..<(2 + generator.below(8)) {
            let present = try number(file)
            let needed = Set(versions[durable...].flatMap(\.keys))
            let next = try lay(versions[present], needed, file, &generator)
            versions.removeSubrange((present + 1)...)
            versions.append(next)
            if generator.chance(30) { disk.fail(after: generator.below(12)) }
            let isDone = (try? file.sync(then: [UInt8(present + 1)], at: 100)) != nil
            disk.recover()
            try verify(&image, disk.events, versions, durable, &generator)
            disk.forget()
            if isDone { durable = present + 1 }
            if !isDone || generator.chance(15) { file = try open(disk) }
            guard !isDone else { continue }
            let found = try number(file)
            try file.write([UInt8(found)], at: 100)
            try file.sync()
            try verify(&image, disk.events, versions, durable, &generator)
            disk.forget()
            durable = found
            versions.removeSubrange((found + 1)...)
        }
    }

    private static func number(_ file: EncryptedFile) throws -> Int { Int(try file.contents()[100]) }

    private static func lay(
        _ base: Version, _ needed: Set<Int>, _ file: EncryptedFile, _ generator: inout SeededGenerator
    ) throws -> Version {
        let count = try file.size() / half + 4
        let free = (1..<count).filter { !needed.contains($0) }
        file.discardUnused(free.map { $0 * half..<($0 + 1) * half } + [count * half..<Int.max], doubtful: [])
        var version = base.filter { _ in generator.chance(60) }
        for place in free.shuffled(using: &generator).prefix(generator.below(4)) {
            let value = UInt8(1 + generator.below(255))
            try file.write([UInt8](repeating: value, count: half), at: place * half)
            version[place] = value
        }
        return version
    }

    private static func verify(
        _ image: inout CrashImage, _ events: [FaultyFile.Event], _ versions: [Version], _ durable: Int,
        _ generator: inout SeededGenerator
    ) throws {
        for moment in 0...events.count {
            if moment > 0 { image.apply(events[moment - 1]) }
            for kept in CrashImage.Kept.allCases {
                let file = try open(ImageFile(image.crashed(keeping: kept, using: &generator)))
                try withTrace("after event \(moment), keeping \(kept)") {
                    let number = try number(file)
                    try require(versions.indices.contains(number) && number >= durable, "it is version \(number)")
                    for (place, value) in versions[number] {
                        var bytes = [UInt8](repeating: 0, count: half)
                        try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: place * half) }
                        try require(bytes.allSatisfy { $0 == value }, "half page \(place) of \(number) is \(bytes[0])")
                    }
                }
            }
        }
    }
}
