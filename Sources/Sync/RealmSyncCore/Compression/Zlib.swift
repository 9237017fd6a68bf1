// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The system's zlib, whose format compresses the bodies of messages (§2.2).
///
/// It is loaded on first use and stays loaded until the process ends. All supported systems have it. The declarations
/// are here because its functions and their types have been the same for decades, so a build needs no header.
@safe
package struct Zlib: Sendable {
    private typealias Bytes = UnsafePointer<UInt8>
    private typealias Output = UnsafeMutablePointer<UInt8>

    /// Parameters: output, its size, input, its size, level.
    private let compress:
        @convention(c) (Output?, UnsafeMutablePointer<CUnsignedLong>, Bytes?, CUnsignedLong, Int32)
            -> Int32
    private let bound: @convention(c) (CUnsignedLong) -> CUnsignedLong
    /// Parameters: output, its size, input, its size.
    private let uncompress:
        @convention(c) (Output?, UnsafeMutablePointer<CUnsignedLong>, Bytes?, CUnsignedLong) -> Int32

    package enum Failure: Error, Hashable, CustomStringConvertible {
        case missing
        case corrupt

        package var description: String {
            switch self {
            case .missing:
                """
                synchronisation needs the library zlib, which this system does not have as \
                \(Zlib.library.names.joined(separator: " or ")); install it, for example with 'apt-get install zlib1g' or \
                'dnf install zlib'
                """
            case .corrupt: "a compressed body isn't a zlib stream of the size in its header"
            }
        }
    }

    #if canImport(Darwin)
        private static let names = ["/usr/lib/libz.1.dylib", "libz.dylib"]
    #else
        private static let names = ["libz.so.1", "libz.so"]
    #endif

    fileprivate static let library = LibraryFunctions(names: names) { try Zlib($0) }

    package static func load() throws(Failure) -> Zlib {
        guard let functions = library.functions else { throw .missing }
        return functions
    }

    private init(_ library: DynamicLibrary) throws(DynamicLibrary.MissingFunction) {
        unsafe compress = try library.function("compress2")
        bound = try library.function("compressBound")
        unsafe uncompress = try library.function("uncompress")
    }

    /// Returns a stream compressed at the fast level that clients use.
    package func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var size = bound(CUnsignedLong(bytes.count))
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { output, count in
            let status = unsafe bytes.withUnsafeBufferPointer { input in
                unsafe compress(output.baseAddress, &size, input.baseAddress, CUnsignedLong(bytes.count), 1)
            }
            precondition(status == 0, "zlib cannot compress into the size that it requires")
            count = Int(size)
        }
    }

    /// The maximum number of bytes that one byte of a stream inflates to.
    private static let maxRatio = 1032

    /// Inflates a stream to exactly `count` bytes. Throws `corrupt` if the size differs.
    package func inflated(_ stream: ArraySlice<UInt8>, count expected: Int) throws(Failure) -> [UInt8] {
        // Reject impossible sizes before allocating memory.
        guard expected >= 0, expected / Zlib.maxRatio <= stream.count else { throw .corrupt }
        var isComplete = false
        // zlib requires a non-empty output buffer.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, expected)) { output, count in
            var size = CUnsignedLong(max(1, expected))
            let status = unsafe stream.withUnsafeBufferPointer { input in
                unsafe uncompress(output.baseAddress, &size, input.baseAddress, CUnsignedLong(stream.count))
            }
            isComplete = status == 0 && Int(size) == expected
            count = isComplete ? expected : 0
        }
        guard isComplete else { throw .corrupt }
        return bytes
    }
}
