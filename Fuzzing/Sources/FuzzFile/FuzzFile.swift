// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

/// For one thread: libFuzzer calls again when the last call has returned.
nonisolated(unsafe) private let file = try? HostileFile()

/// libFuzzer's target: the bytes are a file. Two bytes of noise are taken out, since all files without them are alike
/// to us: the mnemonic is put where it belongs, and the size is cut to a multiple of eight.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFile(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let data, count >= 24, let file else { return 0 }
    var bytes = Array(UnsafeBufferPointer(start: data, count: count / 8 * 8))
    bytes.replaceSubrange(16..<20, with: Array("T-DB".utf8))
    do {
        try file.use(bytes)
    } catch {
        fatalError("\(error)")
    }
    return 0
}
