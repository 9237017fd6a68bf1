// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTools

struct QueryExport {
    private let file: FollowedFile
    private let view: ClassView
    private let table: Table
    private let isJSON: Bool

    init(_ query: [String: String], of file: FollowedFile) throws {
        guard let key = query["table"].flatMap({ Int64($0) }) else { throw StudioError("the class is missing") }
        var members: [(name: String, value: ForeignValue)] = [("table", .integer(key))]
        if let text = query["query"] { members.append(("query", .string(text))) }
        for name in ["sort", "linked"] {
            if let text = query[name] { members.append((name, try ForeignValue(parsing: text))) }
        }
        self.file = file
        view = try ClassView(RequestFields(members), in: file)
        table = try file.table(view.table)
        isJSON = query["format"] != "csv"
    }

    var type: String { isJSON ? "application/json" : "text/csv; charset=utf-8" }

    var fileName: String {
        let name = (table.className ?? table.name).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return (name.isEmpty ? "objects" : name) + (isJSON ? ".json" : ".csv")
    }

    /// The maximum size of a file that a page can request. `realm export` has no limit.
    private static let maxByteCount = 256 << 20

    func bytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        let output = TextOutput { piece in
            guard bytes.count + piece.count <= QueryExport.maxByteCount else {
                throw StudioError("more than 256 MB; 'realm export' writes files of any size")
            }
            bytes += piece
        }
        let listing = QueryListing(
            table: table, keys: try view.allKeys(in: file), source: file.snapshot, budget: try file.budget,
            output: output)
        try isJSON ? listing.writeJSON() : listing.writeCSV()
        try output.flush()
        return bytes
    }
}
