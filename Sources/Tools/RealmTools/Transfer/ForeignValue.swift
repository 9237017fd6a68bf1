// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A value as a file of another kind has it, before its property says what it means.
package enum ForeignValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// The digits of a number that is no 64-bit integer.
    case number(String)
    case string(String)
    case array([ForeignValue])
    case object([(name: String, value: ForeignValue)])
    case bytes([UInt8])
    /// A cell of a table of texts: its property says whether it is a text, a number or JSON.
    case text(String)

    package var isNull: Bool { if case .null = self { true } else { false } }
}

/// One object of an import, as it was read.
struct ImportRecord {
    let className: String
    let fields: [(name: String, value: ForeignValue)]
    /// Where it is: `line 12`.
    let place: String
}

/// A record that cannot be imported; the ones after it may be.
struct BadRow: Error, CustomStringConvertible {
    let place: String
    let message: String
    var description: String { "\(place): \(message)" }
}

/// Why an import or an export cannot be made, beside what is wrong with one record.
struct TransferError: Error, CustomStringConvertible {
    let message: String
    init(_ message: String) { self.message = message }
    var description: String { message }
}

/// Where an import gets its records from, one after the other.
protocol ImportSource: AnyObject {
    /// The classes that the input describes, by its own names, or nil. Known once `sample` was called.
    var schema: SchemaDescription? { get }
    /// The classes that the input's declarations give, with the names and types asked for. Known as `schema` is.
    var inferredSchema: SchemaDescription? { get }
    /// The fields that the input names apart from its records, as far as it was read: columns of tables.
    var declaredFields: Set<String> { get }
    /// Whether cells of text hold JSON where their property asks for more than a text.
    var cellsHoldJSON: Bool { get }
    /// Records to infer types from, of which `next` gives all as well. Called once, first of all.
    func sample(_ limit: Int) throws -> [ImportRecord]
    /// The next record; nil at the end. Throws a `BadRow` for one that cannot be read.
    func next() throws -> ImportRecord?
}

extension ImportSource {
    var inferredSchema: SchemaDescription? { nil }
}
