// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A gzip file, read by the system's zlib.
package enum GzipFile {
    package static func read(_ path: String) throws -> [UInt8] {
        #if canImport(Darwin)
            let name = "/usr/lib/libz.1.dylib"
        #else
            let name = "libz.so.1"
        #endif
        guard let library = DynamicLibrary(name) else { throw Failure("no \(name)") }
        let open: @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> OpaquePointer? =
            try library.function("gzopen")
        let read: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UInt32) -> Int32 =
            try library.function("gzread")
        let close: @convention(c) (OpaquePointer?) -> Int32 = try library.function("gzclose")
        guard let file = open(path, "rb") else { throw Failure("\(path) cannot be opened") }
        defer { _ = close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(file, &part, UInt32(part.count))
            if count == 0 { return bytes }
            guard count > 0 else { throw Failure("\(path) is damaged") }
            bytes += part[..<Int(count)]
        }
    }
}
