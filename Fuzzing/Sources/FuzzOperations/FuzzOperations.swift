// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

/// For one thread: libFuzzer calls again when the last call has returned.
nonisolated(unsafe) private let memory = try? ImageFile()

/// libFuzzer's target: the bytes are instructions, done to a database and to a model.
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
