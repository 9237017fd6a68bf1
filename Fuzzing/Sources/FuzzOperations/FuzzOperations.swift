// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

/// Used by one thread: libFuzzer makes the next call after the last one has returned.
nonisolated(unsafe) private let memory = try? ImageFile()

/// libFuzzer's target: the bytes are instructions for a database and a model.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOperations(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let data, count > 0, let memory else { return 0 }
    do {
        try OperationScript.run(Array(UnsafeBufferPointer(start: data, count: count)), on: memory)
    } catch {
        fatalError("\(error)")
    }
    return 0
}
