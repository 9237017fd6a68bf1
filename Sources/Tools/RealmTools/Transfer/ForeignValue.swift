// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmValues

/// A value from another file format, before it's converted to the type of its property.
package enum ForeignValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case number(String)
    case string(String)
    case array([ForeignValue])
    case object([(name: String, value: ForeignValue)])
    case bytes([UInt8])
    /// A cell of a table of texts. Its property determines whether it's a text, a number or JSON.
    case text(String)

    package var isNull: Bool { if case .null = self { true } else { false } }
}

struct ImportRecord {
    let className: String
    let fields: [(name: String, value: ForeignValue)]
    let place: String
}

/// A record that can't be imported. The ones after it may be.
struct BadRow: Error, CustomStringConvertible {
    let place: String
    let message: String
    var description: String { "\(place): \(message)" }
}

/// An error of an import or export as a whole, rather than in one record.
struct TransferError: Error, CustomStringConvertible {
    let message: String
    init(_ message: String) { self.message = message }
    var description: String { message }
}

protocol ImportSource: AnyObject {
    /// The classes that the input describes, with its own names, if any. Available after a call of `sample`.
    var schema: SchemaDescription? { get }
    /// The classes according to the input's declarations, with the requested names and types. Available after a call of
    /// `sample`.
    var inferredSchema: SchemaDescription? { get }
    /// The columns of tables, as far as the input was read, whether or not records have values for them.
    var declaredFields: Set<String> { get }
    /// Whether text cells contain JSON if their property needs more than a text.
    var cellsHoldJSON: Bool { get }
    /// Returns records for inferring types. `next` returns them again. Called once, before all other functions.
    func sample(_ limit: Int) throws -> [ImportRecord]
    /// Returns the next record; nil at the end. Throws a `BadRow` for one that can't be read.
    func next() throws -> ImportRecord?
}

extension ImportSource {
    var inferredSchema: SchemaDescription? { nil }
}

struct RecordLookahead {
    private var records: ArraySlice<Result<ImportRecord, BadRow>> = []

    mutating func fill(_ limit: Int, _ read: () throws -> ImportRecord?) throws -> [ImportRecord] {
        var found: [Result<ImportRecord, BadRow>] = []
        while found.count < limit {
            do {
                guard let record = try read() else { break }
                found.append(.success(record))
            } catch let error as BadRow {
                found.append(.failure(error))
            }
        }
        records = found[...]
        return found.compactMap { try? $0.get() }
    }

    mutating func next(_ read: () throws -> ImportRecord?) throws -> ImportRecord? {
        try records.popFirst()?.get() ?? read()
    }
}
