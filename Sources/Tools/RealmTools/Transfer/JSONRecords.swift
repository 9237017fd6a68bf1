// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmValues

/// The records of a JSON document: an array of objects, or an object with an array of objects for each class.
///
/// `realm export` writes the second form, with a member `$schema` first.
final class JSONRecords: ImportSource {
    private(set) var schema: SchemaDescription?
    let declaredFields: Set<String> = []
    let cellsHoldJSON = false
    private var reader: JSONReader
    private let defaultClass: String
    private var isArray = false
    private var isOver = false
    private var current: String?
    private var isFirst = true
    private var count = 0
    private var lookahead = RecordLookahead()

    /// Each byte of a text may be an escape of six bytes.
    static let longestToken = 6 * FileFormat.maximumStringByteCount

    init(_ bytes: ByteSource, className: String) throws {
        try bytes.skipMark()
        reader = JSONReader(longestToken: JSONRecords.longestToken, pieces: bytes.nextPiece)
        defaultClass = className
        if try reader.take("[") {
            (isArray, current) = (true, className)
        } else {
            try reader.require("{")
        }
    }

    func sample(_ limit: Int) throws -> [ImportRecord] { try lookahead.fill(limit, read) }

    func next() throws -> ImportRecord? { try lookahead.next(read) }

    private func read() throws -> ImportRecord? {
        while !isOver {
            if let current {
                if let record = try element(of: current) { return record }
                self.current = nil
                if isArray { try end() }
            } else {
                try nextMember()
            }
        }
        return nil
    }

    private func element(of className: String) throws -> ImportRecord? {
        if try reader.take("]") { return nil }
        if count > 0 { try reader.require(",") }
        count += 1
        try reader.peek()
        let line = reader.line
        let place = "line \(line), object \(count)" + (isArray ? "" : " of \(className)")
        guard case .object(let members) = try reader.value() else {
            throw BadRow(place: place, message: "not a JSON object")
        }
        return ImportRecord(
            className: className, fields: members.map { ($0.name, ForeignValue($0.value)) }, place: place)
    }

    private func nextMember() throws {
        if try reader.take("}") { return try end() }
        if !isFirst { try reader.require(",") }
        isFirst = false
        try reader.peek()
        let name = try reader.string()
        try reader.require(":")
        if name == "$schema" {
            schema = try SchemaDescription(raw: ForeignValue(try reader.value()))
        } else {
            guard try reader.take("[") else { throw reader.error("an array of the objects of '\(name)' is missing") }
            (current, count) = (name, 0)
        }
    }

    private func end() throws {
        isOver = true
        try reader.requireEnd()
    }
}

/// The records of a file with a JSON object in each line. `$class` names the class of each. The first line may be
/// `{"$schema": …}`, as written by `realm export`.
final class JSONLineRecords: ImportSource {
    private(set) var schema: SchemaDescription?
    let declaredFields: Set<String> = []
    let cellsHoldJSON = false
    private let bytes: ByteSource
    private let defaultClass: String
    private var lookahead = RecordLookahead()

    init(_ bytes: ByteSource, className: String) throws {
        try bytes.skipMark()
        self.bytes = bytes
        defaultClass = className
    }

    func sample(_ limit: Int) throws -> [ImportRecord] { try lookahead.fill(limit, read) }

    func next() throws -> ImportRecord? { try lookahead.next(read) }

    private func read() throws -> ImportRecord? {
        while try bytes.peek() != nil {
            let place = "line \(bytes.line)"
            guard let members = try members(place) else { continue }
            if let first = members.first, first.name == "$schema" {
                schema = try SchemaDescription(raw: ForeignValue(first.value))
                continue
            }
            var className = defaultClass
            let names = members.filter { $0.name == "$class" }
            if let named = names.first {
                guard names.count == 1, case .string(let text) = named.value else {
                    throw BadRow(place: place, message: "'$class' isn't a string, or occurs twice")
                }
                className = text
            }
            return ImportRecord(
                className: className,
                fields: members.filter { $0.name != "$class" }.map { ($0.name, ForeignValue($0.value)) }, place: place)
        }
        return nil
    }

    private func members(_ place: String) throws -> [JSON.Member]? {
        var isOver = false
        do {
            var reader = JSONReader(line: bytes.line, longestToken: JSONRecords.longestToken) { [bytes] in
                try bytes.nextPiece(ofLine: &isOver)
            }
            guard try reader.peek() != nil else { return nil }
            guard case .object(let found) = try reader.value() else {
                throw BadRow(place: place, message: "not a JSON object")
            }
            try reader.requireEnd()
            return found
        } catch {
            guard let error = error as? JSONError else {
                try bytes.skipLine(isOver)
                throw error
            }
            guard !error.isTooLong else { throw TransferError("\(place): \(error.message)") }
            try bytes.skipLine(isOver)
            throw BadRow(place: place, message: error.message)
        }
    }
}
