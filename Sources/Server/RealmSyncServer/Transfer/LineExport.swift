// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// Writes objects as lines of canonical Extended JSON with their classes, which `FileImport` reads.
    struct LineExport {
        private let source: any TableSource
        private let file: any DatabaseFile
        private var buffer: [UInt8] = []
        private var offset = 0

        private static let pieceSize = 1 << 20

        init(_ source: any TableSource, to file: any DatabaseFile) { (self.source, self.file) = (source, file) }

        /// Whether the name of a file is that of lines.
        static func isNamed(by path: String) -> Bool {
            [".json", ".jsonl", ".ndjson"].contains { path.hasSuffix($0) }
        }

        /// Writes the objects of the tables, and makes them durable.
        mutating func write(_ tables: [Table]) throws {
            let encoder = DocumentEncoder(source)
            for table in tables {
                guard let name = table.className else { continue }
                let member = ExtendedJSON.Member("$class", .string(name))
                for key in try table.allKeys() {
                    guard let document = try encoder.document(key, of: table) else { continue }
                    buffer += ExtendedJSON.document([member] + document).json.description.utf8
                    buffer.append(UInt8(ascii: "\n"))
                    if buffer.count >= LineExport.pieceSize { try flush() }
                }
            }
            try flush()
            try file.sync()
        }

        private mutating func flush() throws {
            try buffer.withUnsafeBytes { try file.write($0, at: offset) }
            offset += buffer.count
            buffer.removeAll(keepingCapacity: true)
        }
    }
#endif
