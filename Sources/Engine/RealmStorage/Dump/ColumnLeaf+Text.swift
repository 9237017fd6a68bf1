// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The stored bytes of strings, for callers that must preserve invalid UTF-8.
extension ColumnLeaf {
    /// Without the terminating zero; nil for null, and for a Mixed value of another type.
    ///
    /// For leaves of strings, including enumerated ones, and of Mixed.
    package func text(at row: Int) throws -> [UInt8]? {
        guard kind == .mixed else {
            return unsafe try withStringBytes(at: row) { unsafe $0.map { unsafe [UInt8]($0) } }
        }
        return try mixed.text(at: row)
    }
}

extension MixedLeaf {
    fileprivate func text(at row: Int) throws -> [UInt8]? {
        let descriptor = try descriptor(at: row)
        guard descriptor.type == .string, descriptor.payload == .strings else { return nil }
        let leaf = try BytesLeaf(space, slot(FileFormat.Mixed.strings), .string)
        return unsafe try leaf.value(at: descriptor.entry(root)).span.map { unsafe [UInt8]($0) }
    }
}
