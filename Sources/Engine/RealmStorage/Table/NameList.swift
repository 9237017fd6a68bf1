// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Table and column names: a node of short strings that aren't nullable (container 2.9, content 6.6.1).
package enum NameList {
    /// A null element reads as "".
    package static func decode(_ node: Node) throws -> [String] {
        guard node.header.schemeCode == NodeScheme.bytes.rawValue, !node.header.hasRefs else {
            throw StorageError.corrupt("a list of names of the wrong kind", at: node.ref)
        }
        let width = node.width
        guard width > 0 else { return Array(repeating: "", count: node.count) }
        let bytes = unsafe node.bytes
        return try (0..<node.count).map { index in
            let padding = unsafe Int(bytes[(index + 1) * width - 1])
            guard padding <= width else { throw StorageError.corrupt("a name of impossible length", at: node.ref) }
            if padding == width { return "" }
            let start = index * width
            return unsafe String(decoding: bytes[start..<start + width - 1 - padding], as: UTF8.self)
        }
    }

    static func encode(_ names: [String], in store: NodeStore) throws -> Ref {
        let (bytes, width) = payload(names)
        return unsafe try bytes.withUnsafeBytes {
            unsafe try store.create(bytes: $0, flags: NodeHeader.Flags.bytes, width: width, count: names.count)
        }
    }

    /// The width is that of an element, in bytes.
    package static func payload(_ names: [String]) -> (bytes: [UInt8], width: Int) {
        let longest = names.map(\.utf8.count).max() ?? 0
        var width = longest == 0 ? 0 : 1
        while width > 0, width <= longest { width <<= 1 }
        var bytes: [UInt8] = []
        for name in names where width > 0 {
            let padding = width - 1 - name.utf8.count
            bytes += Array(name.utf8) + Array(repeating: 0, count: padding) + [UInt8(padding)]
        }
        return (bytes, width)
    }
}
