// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

/// Used by one thread: libFuzzer makes the next call after the last one has returned.
nonisolated(unsafe) private let file = try? HostileFile()

/// libFuzzer's target: the bytes are a file, or the data space of an encrypted one if the unused byte of the header
/// isn't zero. The parts that all files need are supplied: the mnemonic, and a size that is a multiple of eight.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFile(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let data, count >= 24, let file else { return 0 }
    var bytes = Array(UnsafeBufferPointer(start: data, count: count / 8 * 8))
    bytes.replaceSubrange(16..<20, with: Array("T-DB".utf8))
    do {
        let seed = bytes[22]
        bytes[22] = 0
        if seed == 0 { try file.use(bytes) } else { try file.useEncrypted(bytes, seed: UInt64(seed)) }
    } catch {
        fatalError("\(error)")
    }
    return 0
}
