// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Encrypted pages whose visible content isn't on disk: the writing process was killed before its sync, or the sync
/// failed. The next writer must not drop the seal of the content that may be on disk.
@Suite struct LostPageTests {
    enum End: CaseIterable { case killed, failed }

    private static let zero = [UInt8](repeating: 0, count: 4096)

    private static func file(on disk: any DatabaseFile) throws -> EncryptedFile {
        try EncryptedFile(disk, cipher: QuickCipher())
    }

    private static func write(_ value: UInt8, _ disk: any DatabaseFile) throws {
        let file = try file(on: disk)
        // Two pages are needed, and both have copies while they are written.
        file.discardUnused([8192..<Int.max], doubtful: [])
        try file.write([UInt8](repeating: value, count: 4096), at: 4096)
        try file.sync()
    }

    private static func begin(
        _ end: End, at sync: Int, on kind: CrashImage.Disk = CrashConfiguration.encryptedInHalves.disk
    ) throws -> (disk: FaultyFile, image: CrashImage) {
        let disk = FaultyFile(try DiskFile.anonymous(in: TemporaryFolder.base), tear: 2048)
        let header = [UInt8](repeating: 0, count: 16) + FileFormat.mnemonic
        let first = try file(on: disk)
        try first.write(header + zero.dropFirst(20), at: 0)
        try first.sync()
        try write(1, disk)
        disk.failNext(.sync, after: sync)
        #expect(throws: SystemError.self) { try write(2, disk) }
        disk.recover()
        var image = CrashImage(on: kind)
        for event in disk.events {
            // A killed writer differs only in the missing sync.
            if case .failedSync = event, end == .killed { continue }
            image.apply(event)
        }
        disk.forget()
        return (disk, image)
    }

    private static func verify(
        _ image: inout CrashImage, _ events: [FaultyFile.Event], _ contents: Set<UInt8>
    ) throws -> Int {
        var count = 0
        var seen: Set<Int> = []
        for moment in 0...events.count {
            if moment > 0 { image.apply(events[moment - 1]) }
            // The images possible before a write are possible after it.
            if moment < events.count, case .write = events[moment] { continue }
            try withTrace("after event \(moment)") {
                _ = try image.everyImage { bytes in
                    guard seen.insert(bytes.hashValue).inserted else { return }
                    count += 1
                    let disk = try DiskFile.anonymous(in: TemporaryFolder.base)
                    try bytes.withUnsafeBytes { try disk.write($0, at: 0) }
                    let page = try file(on: disk).contents()[4096..<8192]
                    try require(Set(page).count == 1 && contents.isSuperset(of: page), "it has \(Set(page))")
                }
            }
        }
        return count
    }

    /// The syncs of a change: existing content, new entries, copies, new content, page 0.
    @Test(arguments: End.allCases, 0..<5) func theNextWriterLosesNothing(_ end: End, sync: Int) throws {
        var (disk, image) = try LostPageTests.begin(end, at: sync)
        try LostPageTests.write(3, disk)
        let count = try LostPageTests.verify(&image, disk.events, [1, 2, 3])
        print("lost page, \(end) at sync \(sync): \(count) images")
        #expect(try image.image(with: [], size: image.bytes.count) == disk.contents())
    }

    @Test(arguments: End.allCases, [1, 4]) func theWriterAfterAnotherFailureLosesNothing(_ end: End, sync: Int) throws {
        var failures = 0
        for call in 0..<100 {
            var (disk, image) = try LostPageTests.begin(end, at: sync, on: CrashConfiguration.encryptedInPages.disk)
            disk.fail(after: call)
            let isWritten = (try? LostPageTests.write(3, disk)) != nil
            disk.recover()
            try LostPageTests.write(4, disk)
            try withTrace("call \(call) fails") {
                _ = try LostPageTests.verify(&image, disk.events, [1, 2, 3, 4])
            }
            if isWritten { break }
            failures += 1
        }
        #expect(failures > 5)
    }
}
