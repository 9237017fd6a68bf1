// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// The content that the system shows of an encrypted page need not be on disk: the process that wrote it was killed
/// before its sync, or the sync failed. The next writer of the page must not drop the seal of the content that may
/// still be there.
@Suite struct LostPageTests {
    /// The reason why the second content of the page is in doubt.
    enum End: CaseIterable { case killed, failed }

    private static let zero = [UInt8](repeating: 0, count: 4096)

    private static func file(on disk: any DatabaseFile) throws -> EncryptedFile {
        try EncryptedFile(disk, cipher: QuickCipher())
    }

    private static func write(_ value: UInt8, _ disk: any DatabaseFile) throws {
        let file = try file(on: disk)
        // Two pages are needed, and there are copies of both while they are written.
        file.discardUnused([8192..<Int.max], doubtful: [])
        try file.write([UInt8](repeating: value, count: 4096), at: 4096)
        try file.sync()
    }

    /// A page that has the content 1 on disk, and then is changed to 2 up to the sync number `sync`.
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
            // Simulates that the writer was killed instead: only the sync is missing.
            if case .failedSync = event, end == .killed { continue }
            image.apply(event)
        }
        disk.forget()
        return (disk, image)
    }

    /// Every image, now and after each of the events, has one of these contents.
    private static func verify(
        _ image: inout CrashImage, _ events: [FaultyFile.Event], _ contents: Set<UInt8>
    ) throws -> Int {
        var count = 0
        var seen: Set<Int> = []
        for moment in 0...events.count {
            if moment > 0 { image.apply(events[moment - 1]) }
            // The images that are possible before a write are possible after it.
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

    /// The syncs of a change: of the content that is there, of the new entries, of the copies, of the new content, of
    /// page 0.
    @Test(arguments: End.allCases, 0..<5) func theNextWriterLosesNothing(_ end: End, sync: Int) throws {
        var (disk, image) = try LostPageTests.begin(end, at: sync)
        try LostPageTests.write(3, disk)
        let count = try LostPageTests.verify(&image, disk.events, [1, 2, 3])
        print("lost page, \(end) at sync \(sync): \(count) images")
        #expect(try image.image(with: [], size: image.bytes.count) == disk.contents())
    }

    /// The next writer fails as well, at any call, and then there is one more.
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
