// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import RealmSystem

/// A file in memory whose content is replaced repeatedly, and which is mapped only once.
///
/// No database may have it open while it is loaded, and only one may use it at a time. That makes it `Sendable`.
package final class ImageFile: DatabaseFile, @unchecked Sendable {
    private let file: DiskFile
    private var mapping: (value: FileMapping, fileWindow: Int, slabWindow: Int)?

    /// Memory, if the system has a folder for it.
    private static let folder =
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : TemporaryFolder.base

    package init() throws { file = try DiskFile.anonymous(in: ImageFile.folder) }

    package convenience init(_ bytes: [UInt8]) throws {
        try self.init()
        try load(bytes)
    }

    package func load(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try load($0) }
    }

    package func load(_ bytes: UnsafeRawBufferPointer) throws {
        if try file.size() > bytes.count { try file.resize(to: bytes.count) }
        if !bytes.isEmpty { try file.write(bytes, at: 0) }
    }

    package func bytes() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: try size())
        try bytes.withUnsafeMutableBytes { try read(into: $0, at: 0) }
        return bytes
    }

    package var path: String { "(in memory)" }
    package func size() throws -> Int { try file.size() }
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        try file.read(into: buffer, at: offset)
    }
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws { try file.write(bytes, at: offset) }
    package func resize(to size: Int) throws { try file.resize(to: size) }
    package func sync() throws {}

    package func map(fileWindow: Int, slabWindow: Int) throws -> FileMapping {
        if let mapping, mapping.fileWindow == fileWindow, mapping.slabWindow >= slabWindow { return mapping.value }
        let value = try file.map(fileWindow: fileWindow, slabWindow: slabWindow)
        mapping = (value, fileWindow, slabWindow)
        return value
    }
}
